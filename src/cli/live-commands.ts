import type { Command } from './command.ts'
import {
  configOption,
  jsonOption,
  limitOption,
  reasonOption,
  remoteOptions,
  storeOption,
} from './options.ts'

const eitherOptions = [configOption, storeOption, jsonOption, ...remoteOptions]
const keyOption = { name: 'key', value: 'ID', help: 'The API key that owns it' }
const accountFilter = { name: 'account', value: 'ID', help: 'Filter by account' }
const keyFilter = { name: 'key', value: 'ID', help: 'Filter by API key' }
const kindOption = { name: 'kind', value: 'KIND', help: 'response, conversation, item, ...' }
const jobIdOption = { name: 'id', value: 'ID', help: 'The id of the job' }

/** The commands on what clients have made, and on what happens now. */
export const liveCommands: readonly Command[] = [
  {
    name: 'bindings list',
    summary: 'List which account owns which response, conversation or item',
    options: [keyFilter, accountFilter, kindOption, limitOption, ...eitherOptions],
    load: () => import('./bindings/commands.ts').then(({ list: run }) => ({ run })),
  },
  {
    name: 'bindings show',
    summary: 'Show the binding of an id, and how calls that name it would be answered',
    operand: 'ID',
    options: [
      { name: 'id', value: 'ID', help: 'The id, as the client knows it' },
      keyOption,
      kindOption,
      ...eitherOptions,
    ],
    load: () => import('./bindings/commands.ts').then(({ show: run }) => ({ run })),
  },
  {
    name: 'bindings forget',
    summary: 'Forget a binding and the stored content: its id is unknown from now on',
    operand: 'ID',
    options: [
      { name: 'id', value: 'ID', help: 'The id, as the client knows it' },
      keyOption,
      kindOption,
      reasonOption,
      ...eitherOptions,
    ],
    load: () => import('./bindings/commands.ts').then(({ forget: run }) => ({ run })),
  },
  {
    name: 'jobs list',
    summary: 'List videos, batches and responses in the background',
    options: [
      keyFilter,
      accountFilter,
      { name: 'state', value: 'STATE', help: 'queued, in_progress, completed, failed, cancelled' },
      limitOption,
      ...eitherOptions,
    ],
    load: () => import('./jobs/commands.ts').then(({ list: run }) => ({ run })),
  },
  {
    name: 'jobs show',
    summary: 'Show a job',
    operand: 'ID',
    options: [jobIdOption, keyOption, ...eitherOptions],
    load: () => import('./jobs/commands.ts').then(({ show: run }) => ({ run })),
  },
  {
    name: 'jobs refresh',
    summary: 'Ask the account for the state of a job',
    operand: 'ID',
    options: [jobIdOption, keyOption, reasonOption, jsonOption, ...remoteOptions],
    load: () => import('./jobs/commands.ts').then(({ refresh: run }) => ({ run })),
  },
  {
    name: 'jobs forget',
    summary: 'Forget a job: its id is unknown from now on',
    operand: 'ID',
    options: [jobIdOption, keyOption, reasonOption, ...eitherOptions],
    load: () => import('./jobs/commands.ts').then(({ forget: run }) => ({ run })),
  },
  {
    name: 'explain',
    summary: 'Show how a request would be served, and why; nothing is sent to an account',
    options: [
      { name: 'key', value: 'ID', help: 'The API key whose request it would be' },
      { name: 'model', value: 'MODEL', help: 'The model, as clients name it' },
      { name: 'dialect', value: 'ID', help: "The client's dialect (default: responses)" },
      {
        name: 'operation',
        value: 'ID',
        help: 'An operation of the dialect, as `check --routes` lists them (default: that which creates)',
      },
      { name: 'id', value: 'ID', help: "The {id} of the operation's path" },
      { name: 'previous', value: 'ID', help: 'The response that the request continues' },
      { name: 'body', value: 'FILE', help: 'The body, in JSON (default: the least one)' },
      ...eitherOptions,
    ],
    load: () => import('./explain/index.ts'),
  },
  {
    name: 'usage',
    summary: 'Show what calls have used and cost',
    options: [
      {
        name: 'by',
        value: 'A,B',
        help: 'day, hour, key, team, model, account (default: key,model)',
      },
      { name: 'from', value: 'TIME', help: 'The first moment (default: a week before the end)' },
      { name: 'to', value: 'TIME', help: 'The moment behind the last (default: now)' },
      keyFilter,
      { name: 'team', value: 'ID', help: 'Filter by team' },
      { name: 'model', value: 'MODEL', help: 'Filter by model' },
      accountFilter,
      ...eitherOptions,
    ],
    load: () => import('./usage/index.ts'),
  },
  {
    name: 'tail',
    summary: 'Follow a running gateway: one line for each event',
    options: [
      {
        name: 'topics',
        value: 'A,B',
        help: 'exchanges, accounts, circuits, jobs, configuration, audit, pulse (default: all but pulse, or those that the filter selects)',
      },
      keyFilter,
      accountFilter,
      { name: 'model', value: 'MODEL', help: 'Only calls of a model, as clients name it' },
      { name: 'dialect', value: 'ID', help: 'Only calls of a dialect' },
      { ...jsonOption, help: 'Print a JSON object for each event' },
      ...remoteOptions,
    ],
    load: () => import('./tail/index.ts'),
  },
]
