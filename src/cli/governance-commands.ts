import type { Command } from './command.ts'
import {
  configOption,
  jsonOption,
  limitOption,
  reasonOption,
  remoteOptions,
  storeOption,
} from './options.ts'

/** For commands that work on the store, or on a running gateway. */
const eitherOptions = [configOption, storeOption, jsonOption, ...remoteOptions]
const teamIdOption = { name: 'id', value: 'ID', help: 'The id of the team' }

/** The commands for teams and prices. */
export const governanceCommands: readonly Command[] = [
  {
    name: 'teams list',
    summary: 'List the teams of the configuration and the store',
    options: [limitOption, ...eitherOptions],
    load: () => import('./teams/commands.ts').then(({ list: run }) => ({ run })),
  },
  {
    name: 'teams create',
    summary: 'Create a team, whose keys share models and limits',
    operand: 'ID',
    options: [
      teamIdOption,
      { name: 'name', value: 'TEXT', help: 'The name that people know (default: the id)' },
      { name: 'models', value: 'A,B', help: 'Models and patterns of its keys (default: all)' },
      reasonOption,
      ...eitherOptions,
    ],
    load: () => import('./teams/commands.ts').then(({ create: run }) => ({ run })),
  },
  {
    name: 'teams delete',
    summary: 'Delete a team without keys, and its limits of the store',
    operand: 'ID',
    options: [teamIdOption, reasonOption, ...eitherOptions],
    load: () => import('./teams/commands.ts').then(({ remove: run }) => ({ run })),
  },
  {
    name: 'prices list',
    summary: 'List the prices of models in USD for a million tokens',
    options: [
      { name: 'provider', value: 'NAME', help: 'Only prices for accounts of a provider' },
      { name: 'unpriced', help: 'Only models without a price' },
      limitOption,
      ...eitherOptions,
    ],
    load: () => import('./prices/commands.ts').then(({ list: run }) => ({ run })),
  },
]
