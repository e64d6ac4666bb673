/** Which rule detects which defect of a response field. Each becomes a deviation of the mock (mock/deviations/fields.ts). */
import type { MustId } from '../requirements/index.ts';
import type { DefectKind } from './defects.ts';

/** By operation and field. */
export const detectedDefects: Readonly<Record<string, { readonly [Id in MustId]?: readonly DefectKind[] }>> = {
  'updateAgent metadata': { 'agents.update.round-trip': ['missing', 'empty'] },
  'updateAgent metadata.name': {
    'agents.update.round-trip': ['missing', 'constant', 'foreign', 'empty', 'truncated', 'upper-case'],
  },
  'updateAgent metadata.displayName': {
    'agents.update.round-trip': ['constant', 'foreign', 'empty', 'truncated', 'lower-case', 'upper-case'],
    'naming.texts.repeated-spaces-unchanged': ['trimmed'],
  },
  'updateAgent metadata.labels': { 'agents.update.round-trip': ['empty'] },
  'updateAgent metadata.createdAt': {
    'resources.timestamps.creation-kept': ['constant', 'foreign'],
    'resources.timestamps.ordered': ['empty'],
  },
  'updateAgent metadata.updatedAt': {
    'resources.timestamps.ordered': ['empty'],
    'resources.timestamps.update-moves-updated-at': ['constant'],
  },
  'updateAgent metadata.createdBy': { 'resources.timestamps.creation-kept': ['empty', 'truncated', 'upper-case'] },
  'updateAgent metadata.plan': { 'resources.metadata.plan-is-the-same': ['empty', 'truncated', 'upper-case'] },
  'updateAgent metadata.url': {
    'resources.url.present-on-workloads': ['empty'],
    'resources.url.serves-the-agent': ['truncated'],
  },
  'updateAgent metadata.workspace': {
    'resources.envelope.metadata-and-spec': ['missing'],
    'resources.metadata.workspace-is-the-same': ['empty', 'truncated', 'upper-case'],
  },
  'updateAgent spec': { 'agents.update.round-trip': ['missing', 'empty'] },
  'updateAgent spec.enabled': { 'agents.update.round-trip': ['missing', 'constant', 'foreign', 'inverted'] },
  'updateAgent spec.policies': { 'agents.update.round-trip': ['missing', 'empty', 'truncated', 'repeated'] },
  'updateAgent spec.policies[]': { 'agents.update.round-trip': ['missing', 'empty', 'truncated', 'upper-case'] },
  'updateAgent spec.public': { 'agents.update.round-trip': ['missing', 'constant', 'foreign', 'inverted'] },
  'updateAgent spec.region': { 'agents.update.round-trip': ['missing', 'empty', 'truncated', 'upper-case'] },
  'updateAgent spec.repository': { 'agents.update.round-trip': ['missing', 'empty'] },
  'updateAgent spec.repository.type': { 'agents.update.round-trip': ['missing', 'empty', 'truncated', 'upper-case'] },
  'updateAgent spec.repository.url': { 'agents.update.round-trip': ['missing', 'empty', 'truncated', 'upper-case'] },
  'updateAgent spec.revision': { 'agents.update.round-trip': ['missing', 'empty'] },
  'updateAgent spec.revision.active': {
    'agents.update.round-trip': ['missing', 'constant', 'foreign', 'empty', 'truncated', 'upper-case'],
  },
  'updateAgent spec.revision.canary': {
    'agents.update.round-trip': ['missing', 'constant', 'foreign', 'empty', 'truncated', 'upper-case'],
  },
  'updateAgent spec.revision.canaryPercent': {
    'agents.update.round-trip': [
      'missing',
      'constant',
      'foreign',
      'zero',
      'negative',
      'larger',
      'scaled',
      'fractional',
    ],
  },
  'updateAgent spec.revision.stickySessionTtl': {
    'agents.update.round-trip': [
      'missing',
      'constant',
      'foreign',
      'zero',
      'negative',
      'larger',
      'scaled',
      'rounded',
      'fractional',
    ],
  },
  'updateAgent spec.revision.traffic': {
    'agents.update.round-trip': [
      'missing',
      'constant',
      'foreign',
      'zero',
      'negative',
      'larger',
      'scaled',
      'fractional',
    ],
  },
  'updateAgent spec.runtime': { 'agents.update.round-trip': ['missing', 'empty'] },
  'updateAgent spec.runtime.envs': { 'agents.update.round-trip': ['missing', 'empty', 'truncated', 'repeated'] },
  'updateAgent spec.runtime.envs[]': { 'agents.update.round-trip': ['missing', 'empty'] },
  'updateAgent spec.runtime.envs[].name': {
    'agents.update.round-trip': ['missing', 'constant', 'foreign', 'empty', 'truncated', 'lower-case', 'upper-case'],
  },
  'updateAgent spec.runtime.envs[].value': {
    'agents.update.round-trip': [
      'missing',
      'constant',
      'foreign',
      'empty',
      'truncated',
      'trimmed',
      'lower-case',
      'upper-case',
    ],
  },
  'updateAgent spec.runtime.envs[].secret': {
    'agents.update.round-trip': ['missing', 'constant', 'foreign', 'inverted'],
  },
  'updateAgent spec.runtime.generation': {
    'agents.update.round-trip': ['missing', 'constant', 'foreign', 'upper-case'],
  },
  'updateAgent spec.runtime.maxScale': {
    'agents.update.round-trip': [
      'missing',
      'constant',
      'foreign',
      'zero',
      'negative',
      'larger',
      'scaled',
      'rounded',
      'fractional',
    ],
  },
  'updateAgent spec.runtime.memory': {
    'agents.update.round-trip': [
      'missing',
      'constant',
      'foreign',
      'zero',
      'negative',
      'larger',
      'scaled',
      'rounded',
      'fractional',
    ],
  },
  'updateAgent spec.runtime.minScale': {
    'agents.update.round-trip': [
      'missing',
      'constant',
      'foreign',
      'zero',
      'negative',
      'larger',
      'scaled',
      'rounded',
      'fractional',
    ],
  },
  'updateAgent spec.triggers': { 'agents.update.round-trip': ['missing', 'empty', 'truncated', 'repeated'] },
  'updateAgent spec.triggers[]': { 'agents.update.round-trip': ['missing', 'empty'] },
  'updateAgent spec.triggers[].id': {
    'agents.update.round-trip': ['missing', 'constant', 'foreign', 'empty', 'truncated', 'upper-case'],
  },
  'updateAgent spec.triggers[].type': { 'agents.update.round-trip': ['missing', 'constant', 'foreign', 'upper-case'] },
  'updateAgent spec.triggers[].enabled': { 'agents.update.round-trip': ['missing', 'constant', 'foreign', 'inverted'] },
  'updateAgent spec.triggers[].configuration': { 'agents.update.round-trip': ['missing', 'empty'] },
  'updateAgent spec.triggers[].configuration.authenticationType': {
    'agents.update.round-trip': ['missing', 'empty', 'truncated', 'upper-case'],
  },
  'updateAgent spec.triggers[].configuration.callbackSecret': {
    'agents.triggers.callback-secret-is-the-servers': ['missing', 'empty'],
  },
  'updateAgent spec.triggers[].configuration.callbackUrl': {
    'agents.update.round-trip': ['missing', 'constant', 'foreign', 'empty', 'truncated', 'upper-case'],
  },
  'updateAgent spec.triggers[].configuration.path': {
    'agents.update.round-trip': ['missing', 'constant', 'foreign', 'empty', 'truncated', 'upper-case'],
  },
  'updateAgent spec.triggers[].configuration.retry': {
    'agents.update.round-trip': [
      'missing',
      'constant',
      'foreign',
      'zero',
      'negative',
      'larger',
      'scaled',
      'rounded',
      'fractional',
    ],
  },
  'updateAgent spec.triggers[].configuration.schedule': {
    'agents.update.round-trip': ['missing', 'constant', 'foreign', 'empty', 'truncated'],
  },
  'updateAgent spec.triggers[].configuration.tasks': {
    'agents.triggers.accepted-tasks-returned': ['missing', 'empty', 'truncated', 'repeated'],
  },
  'updateAgent spec.triggers[].configuration.tasks[]': { 'agents.triggers.accepted-tasks-returned': ['missing'] },
  'updateAgent spec.triggers[].configuration.timeout': {
    'agents.update.round-trip': [
      'missing',
      'constant',
      'foreign',
      'zero',
      'negative',
      'larger',
      'scaled',
      'rounded',
      'fractional',
    ],
  },
  'updateAgent spec.volumes': { 'agents.update.round-trip': ['missing', 'empty', 'truncated', 'repeated'] },
  'updateAgent spec.volumes[]': { 'agents.update.round-trip': ['missing', 'empty'] },
  'updateAgent spec.volumes[].name': {
    'agents.update.round-trip': ['missing', 'constant', 'foreign', 'empty', 'truncated', 'upper-case'],
  },
  'updateAgent spec.volumes[].mountPath': {
    'agents.update.round-trip': ['missing', 'constant', 'foreign', 'empty', 'truncated', 'lower-case', 'upper-case'],
  },
  'updateAgent spec.volumes[].readOnly': { 'agents.update.round-trip': ['missing', 'constant', 'foreign', 'inverted'] },
  'updateAgent events[].time': { 'resources.events.times-are-timestamps': ['empty'] },
  'deleteSandboxPreviewToken message': { 'sandboxes.preview-tokens.deleted-once': ['missing'] },
  'deleteVolumeTemplateVersion message': { 'volume-templates.versions.deleted': ['missing'] },
  'deleteVolumeTemplateVersion template': { 'volume-templates.versions.deleted': ['missing', 'empty'] },
  'deleteVolumeTemplateVersion template.metadata': { 'volume-templates.versions.deleted': ['missing', 'empty'] },
  'deleteVolumeTemplateVersion template.metadata.name': {
    'volume-templates.versions.deleted': ['missing', 'constant', 'foreign', 'empty', 'truncated', 'upper-case'],
  },
  'deleteVolumeTemplateVersion template.metadata.createdAt': { 'resources.timestamps.ordered': ['empty'] },
  'deleteVolumeTemplateVersion template.metadata.updatedAt': { 'resources.timestamps.ordered': ['empty'] },
  'deleteVolumeTemplateVersion template.metadata.plan': {
    'resources.metadata.plan-is-the-same': ['empty', 'truncated', 'upper-case'],
  },
  'deleteVolumeTemplateVersion template.metadata.workspace': {
    'resources.envelope.metadata-and-spec': ['missing', 'empty'],
    'resources.metadata.workspace-is-the-same': ['truncated', 'upper-case'],
  },
  'deleteVolumeTemplateVersion template.spec': { 'resources.envelope.metadata-and-spec': ['missing'] },
  'deleteVolumeTemplateVersion template.state': { 'volume-templates.versions.count-agrees': ['missing', 'empty'] },
  'deleteVolumeTemplateVersion template.state.versionCount': {
    'volume-templates.versions.count-agrees': [
      'missing',
      'constant',
      'foreign',
      'zero',
      'negative',
      'larger',
      'scaled',
      'rounded',
      'fractional',
    ],
  },
  'deleteVolumeTemplateVersion template.versions': { 'volume-templates.versions.deleted': ['empty', 'truncated'] },
  'deleteVolumeTemplateVersion template.versions[]': { 'volume-templates.versions.deleted': ['missing', 'empty'] },
  'deleteVolumeTemplateVersion template.versions[].contentSize': { 'resources.shapes.fit-the-schema': ['fractional'] },
  'deleteVolumeTemplateVersion template.versions[].name': {
    'volume-templates.versions.deleted': ['missing', 'constant', 'foreign', 'empty', 'truncated', 'upper-case'],
  },
  'deleteVolumeTemplateVersion template.versions[].templateName': {
    'volume-templates.versions.count-agrees': ['missing', 'constant', 'foreign', 'empty', 'truncated', 'upper-case'],
  },
  'createVpc metadata': {
    'vpcs.create.answers-resource': ['missing'],
    'resources.envelope.metadata-and-spec': ['empty'],
  },
  'createVpc metadata.name': {
    'vpcs.create.answers-resource': ['missing', 'constant', 'foreign', 'empty', 'truncated', 'upper-case'],
  },
  'createVpc metadata.displayName': {
    'naming.display-name.up-to-63-accepted': ['constant', 'foreign', 'empty', 'truncated', 'lower-case', 'upper-case'],
    'naming.texts.repeated-spaces-unchanged': ['trimmed'],
  },
  'createVpc metadata.labels': { 'naming.labels.string-values': ['empty'] },
  'createVpc metadata.createdAt': { 'resources.timestamps.ordered': ['empty'] },
  'createVpc metadata.updatedAt': { 'resources.timestamps.ordered': ['empty'] },
  'createVpc metadata.plan': { 'resources.metadata.plan-is-the-same': ['empty', 'truncated', 'upper-case'] },
  'createVpc metadata.workspace': {
    'resources.envelope.metadata-and-spec': ['missing', 'empty'],
    'resources.metadata.workspace-is-the-same': ['truncated', 'upper-case'],
  },
  'createVpc spec': { 'vpcs.create.answers-resource': ['missing'] },
  'createVpc status': { 'vpcs.create.answers-resource': ['missing'] },
  'createVpc events': { 'vpcs.create.answers-resource': ['missing'] },
  'createVpc events[].time': { 'resources.events.times-are-timestamps': ['empty'] },
  'getIntegration name': { 'integrations.get.provider-shape': ['constant', 'foreign'] },
  'getIntegration organizations[]': { 'integrations.get.entries-identified': ['empty'] },
  'getIntegration repositories[]': { 'integrations.get.entries-identified': ['empty'] },
  'deleteUnusedImages deleted': {
    'images.cleanup.answer-shape': ['missing', 'negative', 'fractional'],
    'images.cleanup.second-deletes-none': ['constant', 'foreign', 'larger'],
  },
  'deleteUnusedImages message': { 'images.cleanup.answer-shape': ['missing'] },
  'getAccountMetrics startTime': {
    'metrics.answer.shape-and-echo': ['missing', 'constant', 'foreign', 'empty', 'truncated'],
  },
  'getAccountMetrics endTime': {
    'metrics.answer.shape-and-echo': ['missing', 'constant', 'foreign', 'empty', 'truncated'],
  },
  'getAccountMetrics resolution': {
    'metrics.answer.shape-and-echo': ['missing', 'upper-case'],
    'metrics.resolution.explicit-echoed': ['constant', 'foreign'],
  },
  'getAccountMetrics summary': { 'metrics.answer.shape-and-echo': ['missing', 'empty'] },
  'getAccountMetrics summary.totalCost': {
    'metrics.answer.shape-and-echo': ['missing'],
    'metrics.sums.total-is-sum-of-groups': ['constant', 'foreign', 'zero', 'negative', 'larger', 'scaled', 'rounded'],
  },
  'getAccountMetrics summary.totalUsage': {
    'metrics.usage.with-billing-dimension': ['missing'],
    'metrics.sums.total-usage': ['constant', 'foreign', 'zero', 'negative', 'larger', 'scaled', 'rounded'],
  },
  'getAccountMetrics data': {
    'metrics.answer.shape-and-echo': ['missing'],
    'metrics.group-by.absent-one-entry': ['empty', 'truncated', 'repeated'],
  },
  'getAccountMetrics data[]': { 'metrics.group-by.absent-one-entry': ['missing', 'empty'] },
  'getAccountMetrics data[].workspace': {
    'metrics.group-by.requested-fields-filled': ['missing', 'empty'],
    'metrics.group-by.entries-distinct': ['constant'],
    'metrics.filters.filter-is-the-slice': ['foreign', 'truncated', 'upper-case'],
  },
  'getAccountMetrics data[].resourceType': {
    'metrics.group-by.requested-fields-filled': ['missing', 'empty'],
    'metrics.group-by.entries-distinct': ['constant'],
    'metrics.group-by.dimension-belongs-to-type': ['foreign', 'truncated', 'upper-case'],
  },
  'getAccountMetrics data[].resourceName': {
    'metrics.group-by.requested-fields-filled': ['missing', 'empty'],
    'metrics.group-by.entries-distinct': ['constant'],
    'metrics.group-by.enriched-fields-filled': ['foreign'],
    'metrics.filters.filter-is-the-slice': ['truncated', 'upper-case'],
  },
  'getAccountMetrics data[].resourceUuid': {
    'metrics.group-by.requested-fields-filled': ['missing', 'empty'],
    'metrics.filters.filter-is-the-slice': ['constant', 'truncated', 'upper-case'],
    'metrics.group-by.enriched-fields-filled': ['foreign'],
  },
  'getAccountMetrics data[].billingDimension': {
    'metrics.group-by.requested-fields-filled': ['missing'],
    'metrics.group-by.dimension-belongs-to-type': ['constant', 'foreign', 'upper-case'],
  },
  'getAccountMetrics data[].summary': { 'metrics.cost.always-there': ['missing', 'empty'] },
  'getAccountMetrics data[].summary.cost': {
    'metrics.cost.always-there': ['missing', 'negative'],
    'metrics.sums.group-is-sum-of-buckets': ['constant', 'foreign', 'zero', 'larger', 'scaled', 'rounded'],
  },
  'getAccountMetrics data[].summary.usage': {
    'metrics.usage.with-billing-dimension': ['missing'],
    'metrics.sums.group-is-sum-of-buckets': ['constant', 'foreign', 'zero', 'negative', 'larger', 'scaled', 'rounded'],
  },
  'getAccountMetrics data[].timeseries': {
    'metrics.buckets.one-per-step-zeros-included': ['missing', 'empty', 'truncated', 'reversed', 'repeated'],
  },
  'getAccountMetrics data[].timeseries[]': { 'metrics.buckets.one-per-step-zeros-included': ['missing', 'empty'] },
  'getAccountMetrics data[].timeseries[].timestamp': {
    'metrics.buckets.one-per-step-zeros-included': ['missing', 'constant', 'foreign', 'empty', 'truncated'],
  },
  'getAccountMetrics data[].timeseries[].cost': {
    'metrics.buckets.one-per-step-zeros-included': ['missing'],
    'metrics.cost.always-there': ['negative'],
    'metrics.sums.group-is-sum-of-buckets': ['constant', 'foreign', 'zero', 'larger', 'scaled', 'rounded'],
  },
  'getAccountMetrics data[].timeseries[].usage': {
    'metrics.usage.with-billing-dimension': ['missing'],
    'metrics.sums.group-is-sum-of-buckets': ['constant', 'foreign', 'zero', 'negative', 'larger', 'scaled', 'rounded'],
  },
  'getAccountMetrics meta': { 'metrics.answer.shape-and-echo': ['missing', 'empty'] },
  'getAccountMetrics meta.hasMore': {
    'metrics.pagination.has-more-and-cursor-agree': ['missing', 'constant', 'foreign', 'inverted'],
  },
  'getAccountMetrics meta.nextCursor': {
    'metrics.pagination.has-more-and-cursor-agree': ['missing', 'constant', 'foreign', 'empty'],
    'metrics.pagination.every-group-once': ['truncated', 'lower-case', 'upper-case'],
  },
  'listMetricsGroupBy values': { 'metrics.enums.group-by-values': ['missing', 'empty', 'truncated', 'repeated'] },
  'listMetricsGroupBy values[]': { 'metrics.enums.group-by-values': ['missing', 'constant', 'foreign', 'upper-case'] },
  'listMetricsResourceTypes values': {
    'metrics.enums.resource-types-agree-with-data': ['missing', 'empty', 'truncated', 'repeated'],
  },
  'listMetricsResourceTypes values[]': {
    'metrics.enums.resource-types-agree-with-data': [
      'missing',
      'constant',
      'foreign',
      'empty',
      'truncated',
      'upper-case',
    ],
  },
  'requestToken access_token': {
    'oauth.client-credentials.token-works': ['missing', 'empty', 'truncated', 'lower-case', 'upper-case'],
  },
  'requestToken token_type': {
    'oauth.client-credentials.token-works': ['missing', 'empty'],
    'oauth.token.type-is-bearer': ['truncated'],
  },
  'requestToken expires_in': { 'oauth.token.expires-in-agrees': ['zero', 'negative', 'scaled'] },
  'writeTree name': {
    'sandbox.tree.paths-end-with-names': [
      'constant',
      'foreign',
      'empty',
      'truncated',
      'lower-case',
      'trimmed',
      'upper-case',
    ],
  },
  'writeTree path': {
    'sandbox.tree.paths-end-with-names': [
      'constant',
      'foreign',
      'empty',
      'truncated',
      'lower-case',
      'trimmed',
      'upper-case',
    ],
  },
  'writeTree files': {
    'sandbox.tree.write-answers-listing': ['missing', 'empty', 'truncated'],
    'sandbox.tree.listing-shape': ['repeated'],
  },
  'writeTree files[]': { 'sandbox.tree.write-answers-listing': ['missing', 'empty'] },
  'writeTree files[].group': { 'sandbox.tree.listing-shape': ['missing'] },
  'writeTree files[].lastModified': { 'sandbox.tree.listing-shape': ['missing'] },
  'writeTree files[].name': {
    'sandbox.tree.write-answers-listing': [
      'missing',
      'constant',
      'foreign',
      'empty',
      'truncated',
      'lower-case',
      'trimmed',
      'upper-case',
    ],
  },
  'writeTree files[].owner': { 'sandbox.tree.listing-shape': ['missing'] },
  'writeTree files[].path': {
    'sandbox.tree.listing-shape': ['missing'],
    'sandbox.tree.paths-end-with-names': [
      'constant',
      'foreign',
      'empty',
      'truncated',
      'lower-case',
      'trimmed',
      'upper-case',
    ],
  },
  'writeTree files[].permissions': { 'sandbox.tree.listing-shape': ['missing'] },
  'writeTree files[].size': {
    'sandbox.tree.size-in-bytes': [
      'missing',
      'constant',
      'foreign',
      'zero',
      'negative',
      'larger',
      'scaled',
      'rounded',
      'fractional',
    ],
  },
  'writeTree subdirectories': {
    'sandbox.tree.nested-directories': ['missing', 'empty', 'truncated'],
    'sandbox.tree.listing-shape': ['repeated'],
  },
  'writeTree subdirectories[]': { 'sandbox.tree.nested-directories': ['missing', 'empty'] },
  'writeTree subdirectories[].name': {
    'sandbox.tree.nested-directories': [
      'missing',
      'constant',
      'foreign',
      'empty',
      'truncated',
      'lower-case',
      'trimmed',
      'upper-case',
    ],
  },
  'writeTree subdirectories[].path': {
    'sandbox.tree.listing-shape': ['missing'],
    'sandbox.tree.paths-end-with-names': [
      'constant',
      'foreign',
      'empty',
      'truncated',
      'lower-case',
      'trimmed',
      'upper-case',
    ],
  },
  'listMultipartUploads uploads': {
    'sandbox.multipart.list-shape': ['missing'],
    'sandbox.multipart.uploads-distinct': ['repeated'],
  },
  'listMultipartUploads uploads[]': { 'sandbox.multipart.list-shape': ['empty'] },
  'listMultipartUploads uploads[].uploadId': {
    'sandbox.multipart.list-shape': ['missing', 'empty', 'truncated'],
    'sandbox.multipart.uploads-distinct': ['constant', 'foreign'],
  },
  'listMultipartUploads uploads[].permissions': { 'sandbox.multipart.list-shape': ['fractional'] },
};
