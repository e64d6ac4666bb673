/** Rules for the sandbox API: files, multipart uploads and watches. */
import type { Requirement } from './requirement.ts';

export const sandboxRequirements = [
  {
    id: 'sandbox.tree.write-answers-listing',
    level: 'must',
    since: '0.1.0',
    rule: 'PUT /filesystem/tree/{path} with files creates or updates every file and returns 200 with the listing of that directory.',
    sources: [
      { heading: 'Sandbox REST API (`{sandbox_url}`)', words: 'Creates or updates several files under the directory.' },
    ],
    needs: ['sandbox', 'write'],
    operations: ['writeTree'],
  },
  {
    id: 'sandbox.tree.nested-directories',
    level: 'must',
    since: '0.1.0',
    rule: 'Writing files in nested directories creates those directories, which are listed under subdirectories.',
    sources: [
      { heading: 'Sandbox REST API (`{sandbox_url}`)', words: 'Creates or updates several files under the directory.' },
      { heading: 'Directory listing (sandbox filesystem)', words: 'array of {name string, path string}' },
    ],
    needs: ['sandbox', 'write'],
    operations: ['writeTree'],
  },
  {
    id: 'sandbox.tree.write-keeps-others',
    level: 'must',
    since: '0.1.0',
    rule: 'A second PUT does not remove files that it does not name.',
    sources: [
      { heading: 'Sandbox REST API (`{sandbox_url}`)', words: 'Creates or updates several files under the directory.' },
    ],
    needs: ['sandbox', 'write'],
    operations: ['writeTree'],
  },
  {
    id: 'sandbox.tree.size-in-bytes',
    level: 'must',
    since: '0.1.0',
    rule: 'The size of a listed file is the length of its content in bytes, also for non-ASCII content.',
    sources: [{ heading: 'Directory listing (sandbox filesystem)', words: 'permissions string, size integer}' }],
    needs: ['sandbox', 'write'],
    operations: ['writeTree'],
  },
  {
    id: 'sandbox.tree.listing-shape',
    level: 'must',
    since: '0.1.0',
    rule: 'Each file and subdirectory of a listing has the documented fields and types, and names are unique.',
    sources: [
      {
        heading: 'Directory listing (sandbox filesystem)',
        words:
          'array of {group string, lastModified string, name string, owner string, path string, permissions string, size integer}',
      },
    ],
    needs: ['sandbox', 'write'],
    operations: ['writeTree'],
  },
  {
    id: 'sandbox.tree.paths-end-with-names',
    level: 'must',
    since: '0.1.0',
    rule: 'In a listing, the path of each file and subdirectory ends with its name, after the name of the directory if it names one, and the name and path of the listing, if present, end with the name of the directory.',
    sources: [
      { heading: 'Directory listing (sandbox filesystem)', words: 'array of {name string, path string}' },
      { heading: 'Sandbox REST API (`{sandbox_url}`)', words: '200, directory listing (see Resources).' },
    ],
    needs: ['sandbox', 'write'],
    operations: ['writeTree'],
  },
  {
    id: 'sandbox.tree.readable-after-write',
    level: 'must',
    since: '0.1.0',
    rule: 'GET /filesystem/tree/{path} returns 2xx for a directory that was just written.',
    sources: [
      { heading: 'Sandbox REST API (`{sandbox_url}`)', words: 'Path: directory path.' },
      {
        standard: 'RFC 3986',
        section: '2.2',
        words: "interpreted as representing the data octet corresponding to that character's encoding in US-ASCII",
      },
    ],
    needs: ['sandbox', 'write'],
    operations: ['writeTree', 'readTree'],
  },
  {
    id: 'sandbox.tree.bad-body-rejected',
    level: 'must',
    since: '0.1.0',
    rule: 'A body whose files is not an object of strings is rejected with an error body and writes nothing (null is not tried).',
    sources: [
      {
        heading: 'Sandbox REST API (`{sandbox_url}`)',
        words: 'Body: `{files: object mapping file path (string) to file content (string)}`.',
      },
    ],
    needs: ['sandbox', 'write'],
    operations: ['writeTree'],
  },
  {
    id: 'sandbox.multipart.list-shape',
    level: 'must',
    since: '0.1.0',
    rule: 'GET /filesystem-multipart returns 200 with uploads, an array of records whose uploadId is a UUID.',
    sources: [
      { heading: 'Multipart upload record', words: 'string (UUID format)', about: ['a UUID'] },
      { heading: 'Sandbox REST API (`{sandbox_url}`)', words: '200, `{uploads: array of multipart upload record}`.' },
    ],
    needs: ['sandbox'],
    operations: ['listMultipartUploads'],
  },
  {
    id: 'sandbox.multipart.uploads-distinct',
    level: 'must',
    since: '0.1.0',
    rule: 'GET /filesystem-multipart lists every active upload once.',
    sources: [{ heading: 'Sandbox REST API (`{sandbox_url}`)', words: 'Lists all active multipart uploads.' }],
    needs: ['sandbox'],
    operations: ['listMultipartUploads'],
  },
  {
    id: 'sandbox.watch.every-write-a-line',
    level: 'must',
    since: '0.1.0',
    rule: 'While connected, GET /watch/filesystem/{path} streams the path of each modified file directly in the directory, one per line; every such file of a tree write appears at least once (paths may be absolute or relative and are compared by their end).',
    sources: [
      {
        heading: 'Sandbox REST API (`{sandbox_url}`)',
        words: '200, a stream of text: the path of each modified file, one per line.',
      },
      { heading: 'Events', words: 'emits one modified file path per line for as long as the client stays connected' },
    ],
    needs: ['sandbox', 'write'],
    operations: ['watchDirectory', 'writeTree'],
  },
  {
    id: 'sandbox.watch.only-its-directory',
    level: 'must',
    since: '0.1.0',
    rule: 'A watcher of one directory receives no changes of another directory.',
    sources: [{ heading: 'Sandbox REST API (`{sandbox_url}`)', words: 'Path: directory to watch.' }],
    needs: ['sandbox', 'write'],
    operations: ['watchDirectory', 'writeTree'],
  },
  {
    id: 'sandbox.watch.watchers-independent',
    level: 'must',
    since: '0.1.0',
    rule: 'Any number of watchers can connect and disconnect without affecting writes or each other.',
    sources: [
      { heading: 'Sandbox REST API (`{sandbox_url}`)', words: 'The stream closes when the client disconnects.' },
    ],
    needs: ['sandbox', 'write'],
    operations: ['watchDirectory', 'writeTree'],
  },
  {
    id: 'sandbox.tree.any-sequence-follows-the-model',
    level: 'must',
    since: '0.1.0',
    rule: 'After any sequence of tree writes, the listings contain the files that a map of paths would contain (model-based; names that differ only in letter case or Unicode form, and names used for both a file and a directory, are not tried).',
    sources: [
      { heading: 'Sandbox REST API (`{sandbox_url}`)', words: 'Creates or updates several files under the directory.' },
    ],
    needs: ['sandbox', 'write'],
    operations: ['writeTree'],
  },
  {
    id: 'sandbox.undocumented.answers',
    level: 'observe',
    since: '0.1.0',
    rule: 'The body of GET tree; statuses of errors; .. and encoded slashes in paths; a path that is a file; files beside a refused one; the path, headers, lines and depth of a watch; the name and patterns of the ignore parameter; ownership, permissions and timestamp formats.',
    sources: [
      {
        heading: 'Errors',
        words:
          'Statuses of the error responses of the sandbox operations (tree write, multipart list, watch): not shown.',
      },
    ],
    needs: ['sandbox'],
    operations: ['readTree', 'writeTree', 'listMultipartUploads', 'watchDirectory', 'getSandboxRoot'],
  },
] as const satisfies readonly Requirement[];
