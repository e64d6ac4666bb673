/** A deployment status as a colored word. */

const tones: Readonly<Record<string, string>> = {
  DEPLOYED: 'good',
  BUILT: 'moving',
  UPLOADING: 'moving',
  BUILDING: 'moving',
  DEPLOYING: 'moving',
  DEACTIVATING: 'moving',
  DELETING: 'moving',
  FAILED: 'bad',
};

export const isMoving = (status: string | null): boolean => tones[status ?? ''] === 'moving';

export function Status({ status }: { status: string | null }) {
  if (status === null) return <span class="soft">–</span>;
  return <span class={`status ${tones[status] ?? 'still'}`}>{status}</span>;
}
