import type { Command } from './command.ts'
import { governanceCommands } from './governance-commands.ts'
import { liveCommands } from './live-commands.ts'
import { setUpCommands } from './set-up-commands.ts'
import {
  configOption,
  jsonOption,
  limitOption,
  reasonOption,
  remoteOptions,
  serverOptions,
  storeOption,
} from './options.ts'

const recordOptions = [configOption, storeOption, jsonOption]
/** For commands that work on the store, or on a running gateway. */
const eitherOptions = [...recordOptions, ...remoteOptions]
const keyIdOption = { name: 'id', value: 'ID', help: 'The id of the key' }
const tokenIdOption = { name: 'id', value: 'ID', help: 'The id of the token' }
const accountIdOption = { name: 'id', value: 'ID', help: 'The id of the account' }

/** What a key may do, and how it is served. */
const keySettings = [
  {
    name: 'models',
    value: 'A,B',
    help: 'Models and patterns that the key may use (default: all)',
  },
  { name: 'team', value: 'ID', help: 'The team that the key belongs to (default: none)' },
  { name: 'labels', value: 'A=B,C=D', help: 'Words about the key, for reports' },
  {
    name: 'expires',
    value: 'TIME',
    help: 'When the key expires: 30d, 12h, 2030-01-31 (default: never)',
  },
  { name: 'explain', help: 'Allow x-dragoman-explain, which shows how calls are routed' },
  {
    name: 'losses',
    value: 'POLICY',
    help: 'Settings that another dialect lacks: drop, native or reject (default: as configured)',
  },
  {
    name: 'errors',
    value: 'FORM',
    help: 'The form of errors: spec, upstream or native (default: as configured)',
  },
]

/** Every command. A command line without a command selects the first. */
export const commands: readonly Command[] = [
  {
    name: 'serve',
    summary: 'Run the gateway (the default command)',
    options: serverOptions,
    load: () => import('./serve.ts'),
  },
  {
    name: 'check',
    summary: 'Show pipeline, accounts and keys, and every problem of the configuration',
    options: [...serverOptions, { name: 'routes', help: 'Show the routes, too' }],
    load: () => import('./check.ts'),
  },
  ...setUpCommands,
  {
    name: 'keys create',
    summary: 'Issue an API key; its secret is printed only once',
    operand: '[ID]',
    options: [
      { ...keyIdOption, help: 'The id of the key (default: key- and random digits)' },
      ...keySettings,
      reasonOption,
      ...eitherOptions,
    ],
    load: () => import('./keys/commands.ts').then(({ create: run }) => ({ run })),
  },
  {
    name: 'keys update',
    summary: 'Change settings of an API key; those that are not named stay',
    operand: 'ID',
    options: [
      keyIdOption,
      ...keySettings,
      {
        name: 'clear',
        value: 'A,B',
        help: 'Settings that end: models, team, labels, expires, ...',
      },
      reasonOption,
      ...eitherOptions,
    ],
    load: () => import('./keys/commands.ts').then(({ update: run }) => ({ run })),
  },
  {
    name: 'keys list',
    summary: 'List the API keys of the store and the configuration',
    options: [
      { name: 'team', value: 'ID', help: 'Only the keys of a team' },
      limitOption,
      ...eitherOptions,
    ],
    load: () => import('./keys/commands.ts').then(({ list: run }) => ({ run })),
  },
  {
    name: 'keys disable',
    summary: 'Disable an API key for every gateway on this store',
    operand: 'ID',
    options: [keyIdOption, reasonOption, ...eitherOptions],
    load: () => import('./keys/commands.ts').then(({ disable: run }) => ({ run })),
  },
  {
    name: 'keys enable',
    summary: 'Enable an API key again',
    operand: 'ID',
    options: [keyIdOption, reasonOption, ...eitherOptions],
    load: () => import('./keys/commands.ts').then(({ enable: run }) => ({ run })),
  },
  {
    name: 'keys revoke',
    summary: 'Revoke an API key permanently',
    operand: 'ID',
    options: [keyIdOption, reasonOption, ...eitherOptions],
    load: () => import('./keys/commands.ts').then(({ revoke: run }) => ({ run })),
  },
  {
    name: 'keys rotate',
    summary: 'Give an API key a new secret; its id and its stored resources stay',
    operand: 'ID',
    options: [
      keyIdOption,
      {
        name: 'grace',
        value: 'TIME',
        help: 'How long the former secret works: 1h, 30m, 2d (default: it ends at once)',
      },
      reasonOption,
      ...eitherOptions,
    ],
    load: () => import('./keys/commands.ts').then(({ rotate: run }) => ({ run })),
  },
  ...governanceCommands,
  {
    name: 'admin-tokens create',
    summary: 'Create a token of the admin API; it is printed only once',
    operand: '[ID]',
    options: [
      { ...tokenIdOption, help: 'The id of the token (default: admin- and random digits)' },
      {
        name: 'role',
        value: 'ROLE',
        help: 'What the token permits: viewer, operator or admin (default: admin)',
      },
      {
        name: 'expires',
        value: 'TIME',
        help: 'When the token expires: 30d, 12h, 2030-01-31 (default: 90d)',
      },
      reasonOption,
      ...eitherOptions,
    ],
    load: () => import('./admin-tokens/commands.ts').then(({ create: run }) => ({ run })),
  },
  {
    name: 'admin-tokens list',
    summary: 'List the admin tokens of the store, the configuration and the environment',
    options: [limitOption, ...eitherOptions],
    load: () => import('./admin-tokens/commands.ts').then(({ list: run }) => ({ run })),
  },
  {
    name: 'admin-tokens revoke',
    summary: 'Revoke an admin token permanently',
    operand: 'ID',
    options: [tokenIdOption, reasonOption, ...eitherOptions],
    load: () => import('./admin-tokens/commands.ts').then(({ revoke: run }) => ({ run })),
  },
  {
    name: 'accounts list',
    summary: 'List the accounts of the configuration and the store, and whether they are enabled',
    options: [
      { name: 'provider', value: 'NAME', help: 'Filter by provider' },
      {
        name: 'state',
        value: 'STATE',
        help: 'enabled, disabled, invalid, refused, cooling, circuit-open, ...',
      },
      { name: 'serves', value: 'PART', help: 'Filter by all, some or nothing' },
      limitOption,
      ...eitherOptions,
    ],
    load: () => import('./accounts/commands.ts').then(({ list: run }) => ({ run })),
  },
  {
    name: 'accounts disable',
    summary: 'Disable an account for every gateway on this store',
    operand: 'ID',
    options: [accountIdOption, reasonOption, ...eitherOptions],
    load: () => import('./accounts/commands.ts').then(({ disable: run }) => ({ run })),
  },
  {
    name: 'accounts enable',
    summary: 'Enable an account again',
    operand: 'ID',
    options: [accountIdOption, reasonOption, ...eitherOptions],
    load: () => import('./accounts/commands.ts').then(({ enable: run }) => ({ run })),
  },
  {
    name: 'accounts reset',
    summary: 'Close circuits and end pauses and refusals of an account, in every process',
    operand: 'ID',
    options: [
      accountIdOption,
      { name: 'dialect', value: 'ID', help: 'Only the circuit of a dialect' },
      { name: 'model', value: 'MODEL', help: "Only the pauses of a model, by the account's name" },
      reasonOption,
      jsonOption,
      ...remoteOptions,
    ],
    load: () => import('./accounts/commands.ts').then(({ reset: run }) => ({ run })),
  },
  {
    name: 'accounts test',
    summary: 'Make a free call to an account with its credential',
    operand: 'ID',
    options: [accountIdOption, reasonOption, jsonOption, ...remoteOptions],
    load: () => import('./accounts/commands.ts').then(({ test: run }) => ({ run })),
  },
  ...liveCommands,
  {
    name: 'secrets rotate',
    summary: 'Seal the secrets of the store with the newest key of DRAGOMAN_SECRET_KEY',
    options: recordOptions,
    load: () => import('./secrets/rotate.ts'),
  },
  {
    name: 'audit export',
    summary: 'Print the audit log, a JSON object a line, the oldest act first',
    options: [
      { name: 'from', value: 'TIME', help: 'The first moment: 2030-01-31, 2030-01-31T12:00:00Z' },
      { name: 'to', value: 'TIME', help: 'The moment behind the last' },
      configOption,
      storeOption,
      ...remoteOptions,
    ],
    load: () => import('./audit/export.ts'),
  },
  {
    name: 'sandbox',
    summary: 'Run the sandbox, an offline simulation of the model providers',
    options: [
      { name: 'port', short: 'p', value: 'PORT', help: 'Port (default: 8790)' },
      { name: 'host', value: 'HOST', help: 'Address (default: 127.0.0.1)' },
    ],
    load: () => import('./sandbox.ts'),
  },
]
