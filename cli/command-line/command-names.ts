/** The names of the subcommands, which are also the sections of `assay.config.ts`. */
export const commandNames = [
  'mock',
  'test',
  'init',
  'doctor',
  'sweep',
  'report',
  'merge',
  'replay',
  'diff',
  'lint',
  'proxy',
  'judge',
  'compare',
  'world',
  'rules',
] as const;

export type CommandName = (typeof commandNames)[number];
