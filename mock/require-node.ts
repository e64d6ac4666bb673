/** Refuses a Node that cannot run the mock. Imported first, because the modules after it use newer functions. */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

/** Node 22.19 is the first version that is tested. */
if (major < 22 || (major === 22 && minor < 19))
  throw new Error(
    `@svc/assay needs Node 22.19 or newer; this is ${process.versions.node} (${process.execPath}). ` +
      'Install it, or add it to this project with `npm install --save-dev node@24` and use `npx --no assay`.',
  );
