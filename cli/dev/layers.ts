/** The rooms (top-level folders) of the project and the layers inside them, lowest first: which code may import which. */

export interface Layer {
  /**
   * Paths relative to the room; `.` is the files directly in it. A subfolder belongs to its parent unless it has its own
   * layer.
   */
  readonly folders: readonly string[];
  readonly contains: string;
}

export interface Room {
  readonly name: string;
  readonly contains: string;
  /** Other rooms it may import from. */
  readonly mayImport: readonly string[];
  /** Lowest first: a folder imports from its own and from lower layers, not from another folder of its own layer. Absent: one layer. */
  readonly layers?: readonly Layer[];
}

const all = ['spec', 'fixtures', 'mock', 'suites', 'reports', 'cli', 'bench'];

export const rooms: readonly Room[] = [
  {
    name: 'spec',
    contains:
      'What the API promises: OpenAPI documents, the rule catalogue, the lint ruleset, and types and validators derived from them.',
    mayImport: [],
  },
  {
    name: 'fixtures',
    contains: 'Data: worlds, target files, recordings, valid bodies, known-bad documents.',
    mayImport: ['spec'],
  },
  {
    name: 'mock',
    contains: 'A conforming server.',
    mayImport: ['spec', 'fixtures'],
    layers: [
      { folders: ['http'], contains: 'Problems, replies, bodies, JSON, and the socket.' },
      { folders: ['time'], contains: 'Clock, timers and random numbers of a world.' },
      { folders: ['metrics'], contains: 'Pure functions: meters, windows, buckets, groups, pages.' },
      { folders: ['state'], contains: 'The state of a world as plain data, and its events.' },
      {
        folders: ['domains/resources'],
        contains: 'Kinds of resources, writes and their rules, executions, metered usage.',
      },
      {
        folders: ['domains/oauth', 'domains/inference', 'domains/sandbox'],
        contains: 'The authorization server, calls of workloads, and the insides of sandboxes.',
      },
      { folders: ['domains/mcp'], contains: 'The MCP servers of functions and sandboxes.' },
      { folders: ['world'], contains: 'A world as a whole: loading, snapshots, event subscriptions.' },
      { folders: ['endpoints'], contains: 'One function per operation, from call to reply.' },
      {
        folders: ['pipeline'],
        contains:
          'The ordered steps of a request, and what they use: routes, journal, faults, scripted and recorded responses.',
      },
      { folders: ['store'], contains: 'The state of a world on disk.' },
      { folders: ['server'], contains: 'The requests of all worlds on one port, the control API, and the console.' },
      { folders: ['wrap'], contains: 'The toolkit for wrapping the app from outside.' },
      { folders: ['deviations', 'profile'], contains: 'Deliberate violations; imitation of an observed deployment.' },
      { folders: ['.'], contains: 'startMock, which puts the layers together.' },
      { folders: ['test-runners'], contains: 'Fixtures for vitest and Playwright: a world per test.' },
      { folders: ['testing'], contains: 'Test support.' },
    ],
  },
  {
    name: 'suites',
    contains: 'Tests that run against any target.',
    mayImport: ['spec', 'fixtures'],
    layers: [
      { folders: ['json'], contains: 'Reads JSON whose shape is not known.' },
      {
        folders: ['target'],
        contains: 'The deployment under test: client, transport, credentials, ledger, redaction.',
      },
      { folders: ['expect'], contains: 'Expectations: exchange in, mismatches out.' },
      { folders: ['judge'], contains: 'Rules that judge exchanges, whoever sent them.' },
      { folders: ['generators'], contains: 'fast-check arbitraries, named after the value they yield.' },
      {
        folders: ['engine'],
        contains: 'Cases and how they run: registration, properties, sequences, verdicts, oracle.',
      },
      { folders: ['kit'], contains: 'What several areas share: provisioning, windows, request builders.' },
      {
        folders: [
          'accounts',
          'agents',
          'auth',
          'errors',
          'functions',
          'images',
          'inference',
          'integrations',
          'jobs',
          'management',
          'mcp',
          'metrics',
          'naming',
          'oauth',
          'resources',
          'sandbox',
          'sandboxes',
          'versions',
          'volume-templates',
          'vpcs',
        ],
        contains: 'The areas of the catalogue. An area never imports another one.',
      },
      { folders: ['compare'], contains: 'One sequence of steps on two targets, and their differences.' },
      { folders: ['testing'], contains: 'Test support.' },
    ],
  },
  { name: 'reports', contains: 'Results: JSON, HTML, JUnit and Markdown; comparison of runs.', mayImport: ['spec'] },
  {
    name: 'cli',
    contains: 'The command: wires the rooms.',
    mayImport: all,
    layers: [
      {
        folders: ['command-line'],
        contains: 'Flags, the config file, usage errors, signals, the target of a command.',
      },
      {
        folders: ['run', 'lint', 'proxy', 'mock', 'report'],
        contains:
          'What the commands do: run the suites and clean up, lint, forward requests, serve the mock, open a report.',
      },
      { folders: ['judge'], contains: 'Judges the traffic of others: reads recordings, and watches the proxy.' },
      { folders: ['plan'], contains: '`assay test --plan`: estimates a run from what was measured against the mock.' },
      { folders: ['doctor'], contains: '`assay doctor`: the checks of a target file.' },
      { folders: ['world'], contains: '`assay world`: a world file of what a deployment shows.' },
      {
        folders: ['compare'],
        contains: '`assay compare`: two targets or versions, a mock and a target, or two recordings.',
      },
      { folders: ['init'], contains: '`assay init`: probes a deployment and describes it as a target file.' },
      { folders: ['commands'], contains: 'One file per command: its flags and what it starts.' },
      { folders: ['.'], contains: 'Entry points: `main.ts`, and `assay.mjs`, which checks the version of Node.' },
      {
        folders: ['e2e', 'github-action'],
        contains: 'The GitHub Action, and tests that start processes or a browser.',
      },
      { folders: ['dev'], contains: 'Only for work on assay: check, teeth, build, layers, browser.' },
    ],
  },
  { name: 'bench', contains: 'Performance as ratios within one run.', mayImport: all },
];
