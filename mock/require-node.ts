/** Refuses a Node that cannot run the mock. Imported first, because the modules after it use newer functions. */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

/** Node 24.18 is the first version that is tested. */
export const isNodeSupported = major > 24 || (major === 24 && minor >= 18);

if (!isNodeSupported)
  throw new Error(`@svc/assay needs Node 24.18 or newer; this is ${process.versions.node} (${process.execPath}).`);
