// The built command as the installed package runs it: JavaScript, with the compile cache that cli/assay.mjs turns on.
import module from 'node:module';

module.enableCompileCache();
const { main } = await import('../../dist/cli/main.js');
process.exitCode = await main(process.argv.slice(2));
