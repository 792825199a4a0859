import type { Command } from './command.ts'
import { configOption, jsonOption, serverOptions } from './options.ts'

/** The commands that set a gateway up, and show whether it can serve. */
export const setUpCommands: readonly Command[] = [
  {
    name: 'init',
    summary: 'Write a configuration and .env.example into this directory; no file is overwritten',
    options: [
      { name: 'ts', help: 'Write dragoman.config.ts (the default)' },
      { name: 'yaml', help: 'Write dragoman.config.yaml' },
    ],
    load: () => import('./init/index.ts'),
  },
  {
    name: 'plugin init',
    summary: 'Write the package of a plugin, with a test that passes, into a new directory',
    operand: 'NAME',
    options: [
      { name: 'dialect', help: 'Write a dialect with its codec, tested with both contracts' },
      {
        name: 'directory',
        value: 'DIR',
        help: 'Where to write it: a new or empty directory (default: the name without its scope)',
      },
    ],
    load: () => import('./plugin-init/index.ts'),
  },
  {
    name: 'doctor',
    summary: 'Look for what would keep a gateway from serving here; changes nothing, costs nothing',
    options: [...serverOptions, { ...jsonOption, help: 'Print a JSON list of all findings' }],
    load: () => import('./doctor/index.ts'),
  },
  {
    name: 'healthcheck',
    summary: 'Ask a running gateway whether it is alive, for the health check of a container',
    options: [
      {
        name: 'url',
        value: 'URL',
        help: 'Address of the gateway (default: the admin address of the configuration)',
      },
      { name: 'ready', help: 'Ask whether it accepts calls: /readyz in place of /livez' },
      configOption,
    ],
    load: () => import('./healthcheck/index.ts'),
  },
  {
    name: 'config print',
    summary: 'Print the settings in effect and the origin of each; secrets are masked',
    options: [
      { ...jsonOption, help: 'Print a JSON list of path, value and origin' },
      { name: 'yaml', help: 'Print YAML, with the origins as comments' },
      ...serverOptions,
    ],
    load: () => import('./config/print.ts'),
  },
  {
    name: 'config schema',
    summary: 'Print the JSON Schema of the configuration',
    options: [],
    load: () => import('./config/schema.ts'),
  },
]
