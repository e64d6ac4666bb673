/** `npm run stranger -- lenient`: a deployment that is not the mock, to try commands against, until Ctrl-C. */
import { Argument } from 'commander';
import { startStranger } from '../../fixtures/strangers/stranger.ts';
import type { StrangerOptions } from '../../fixtures/strangers/stranger.ts';
import { targetFile } from '../e2e/testing/assay-process.ts';
import { devCommand } from './dev-command.ts';

const command = devCommand('stranger', 'starts one of the independent conforming servers, and writes its target file')
  .addArgument(
    new Argument('[character]', 'strict refuses what it may refuse; lenient ignores what it may ignore')
      .choices(['strict', 'lenient'])
      .default('strict'),
  )
  .parse();
const [character] = command.processedArgs as [StrangerOptions['character']];

const { target } = await startStranger({ character });
const file = targetFile(target);
process.stdout.write(
  `The ${character} server is ready at ${target.addresses.management}; press Ctrl-C to stop. Try it:\n` +
    `  npx --no assay doctor --target ${file}\n` +
    `  npx --no assay test --quick --target ${file}\n`,
);
