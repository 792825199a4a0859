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
const limitIdOption = { name: 'id', value: 'ID', help: 'The id of the limit' }
const modelOption = {
  name: 'model',
  value: 'MODEL',
  help: 'The own name that accounts have for the model',
}
const scopeOptions = [
  { name: 'account', value: 'ID', help: 'Only this account (default: all)' },
  { name: 'provider', value: 'NAME', help: 'Only accounts of this provider (default: all)' },
  { name: 'from', value: 'TIME', help: 'When the price begins: 2030-01-31 (default: at once)' },
]
const teamIdOption = { name: 'id', value: 'ID', help: 'The id of the team' }

/** The commands for teams, limits and prices. */
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
    name: 'limits list',
    summary: 'List limits, and what is spent of them',
    options: [
      { name: 'subject', value: 'SUBJECT', help: 'key:ID, team:ID, account:ID or gateway' },
      limitOption,
      ...eitherOptions,
    ],
    load: () => import('./limits/commands.ts').then(({ list: run }) => ({ run })),
  },
  {
    name: 'limits set',
    summary: 'Set a limit of key:ID, team:ID, account:ID or gateway',
    operand: 'SUBJECT',
    options: [
      {
        name: 'kind',
        value: 'KIND',
        help: 'requests, tokens, inputTokens, outputTokens, cost or concurrent',
      },
      { name: 'amount', value: 'N', help: 'The most in a window; for cost in USD' },
      {
        name: 'window',
        value: 'WINDOW',
        help: '1s, 1m, 12h, day, week, month or total (default: total for cost, otherwise 1m)',
      },
      { name: 'models', value: 'A,B', help: 'Models and patterns that count (default: all)' },
      {
        name: 'zone',
        value: 'ZONE',
        help: 'The time zone of days, weeks and months (default: UTC)',
      },
      { name: 'warn', help: 'Count and warn, and refuse nothing' },
      { name: 'strict', help: 'Begin no call that the rest does not cover' },
      { name: 'dry-run', help: 'Check the limit, show what is spent already, and change nothing' },
      reasonOption,
      ...eitherOptions,
    ],
    load: () => import('./limits/commands.ts').then(({ set: run }) => ({ run })),
  },
  {
    name: 'limits remove',
    summary: 'Remove a limit of the store',
    operand: 'ID',
    options: [limitIdOption, reasonOption, ...eitherOptions],
    load: () => import('./limits/commands.ts').then(({ remove: run }) => ({ run })),
  },
  {
    name: 'limits reset',
    summary: 'Forget what was spent of a limit in the present period',
    operand: 'ID',
    options: [limitIdOption, reasonOption, ...eitherOptions],
    load: () => import('./limits/commands.ts').then(({ reset: run }) => ({ run })),
  },
  {
    name: 'limits grant',
    summary: 'Grant a limit an amount besides its own until a time',
    operand: 'ID',
    options: [
      limitIdOption,
      { name: 'amount', value: 'N', help: 'How much; for cost in USD. 0 ends what was granted' },
      { name: 'until', value: 'TIME', help: 'Its end: 2030-01-31, 2030-01-31T12:00:00Z' },
      reasonOption,
      ...eitherOptions,
    ],
    load: () => import('./limits/commands.ts').then(({ grant: run }) => ({ run })),
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
  {
    name: 'prices set',
    summary: 'Set the price of a model, in USD for a million tokens',
    operand: 'MODEL',
    options: [
      modelOption,
      { name: 'input', value: 'USD', help: 'Tokens of the prompt' },
      { name: 'output', value: 'USD', help: 'Tokens of the reply' },
      { name: 'cache-read', value: 'USD', help: 'Tokens of the prompt that a cache had' },
      { name: 'cache-write', value: 'USD', help: 'Tokens that are written to a cache' },
      { name: 'cache-write-1h', value: 'USD', help: 'Tokens that a cache keeps for an hour' },
      { name: 'search', value: 'USD', help: 'A web search' },
      { name: 'free', help: 'Calls of the model cost nothing' },
      ...scopeOptions,
      { name: 'dry-run', help: 'Check the price, and change nothing' },
      reasonOption,
      ...eitherOptions,
    ],
    load: () => import('./prices/commands.ts').then(({ set: run }) => ({ run })),
  },
  {
    name: 'prices remove',
    summary: 'Remove a price of the store',
    operand: 'MODEL',
    options: [modelOption, ...scopeOptions, reasonOption, ...eitherOptions],
    load: () => import('./prices/commands.ts').then(({ remove: run }) => ({ run })),
  },
]
