import type { Command } from './command.ts'
import { configOption, jsonOption, serverOptions, storeOption } from './options.ts'

const recordOptions = [configOption, storeOption, jsonOption]
const keyIdOption = { name: 'id', value: 'ID', help: 'The id of the key' }
const accountIdOption = { name: 'id', value: 'ID', help: 'The id of the account' }

/** Every command; the first is what a command line without one means. */
export const commands: readonly Command[] = [
  {
    name: 'serve',
    summary: 'Run the gateway (the default command)',
    options: serverOptions,
    load: () => import('./serve.ts'),
  },
  {
    name: 'check',
    summary: 'Show pipeline, routes, accounts and keys, and every problem of the configuration',
    options: serverOptions,
    load: () => import('./check.ts'),
  },
  {
    name: 'keys create',
    summary: 'Issue an API key; its secret is printed this once',
    operand: '[ID]',
    options: [
      { ...keyIdOption, help: 'What the key is called (default: key- and random digits)' },
      { name: 'models', value: 'A,B', help: 'Models and patterns that it may use (default: all)' },
      {
        name: 'expires',
        value: 'TIME',
        help: 'When it ends: 30d, 12h, 2030-01-31 (default: never)',
      },
      { name: 'explain', help: 'Let it ask how its calls are routed (x-dragoman-explain)' },
      {
        name: 'losses',
        value: 'POLICY',
        help: 'What another dialect cannot say: drop, native or reject (default: as configured)',
      },
      ...recordOptions,
    ],
    load: () => import('./keys/create.ts'),
  },
  {
    name: 'keys list',
    summary: 'List the API keys of store and configuration',
    options: recordOptions,
    load: () => import('./keys/list.ts'),
  },
  {
    name: 'keys revoke',
    summary: 'Turn an API key off for good',
    operand: 'ID',
    options: [keyIdOption, ...recordOptions],
    load: () => import('./keys/revoke.ts'),
  },
  {
    name: 'keys rotate',
    summary: 'Give an API key a new secret; its id, and all that belongs to it, stays',
    operand: 'ID',
    options: [keyIdOption, ...recordOptions],
    load: () => import('./keys/rotate.ts'),
  },
  {
    name: 'accounts list',
    summary: 'List the accounts, whether calls go to them, and what keeps calls away',
    options: recordOptions,
    load: () => import('./accounts/list.ts'),
  },
  {
    name: 'accounts disable',
    summary: 'Switch an account off, for every gateway on this store',
    operand: 'ID',
    options: [accountIdOption, ...recordOptions],
    load: () => import('./accounts/disable.ts'),
  },
  {
    name: 'accounts enable',
    summary: 'Switch an account on again',
    operand: 'ID',
    options: [accountIdOption, ...recordOptions],
    load: () => import('./accounts/enable.ts'),
  },
  {
    name: 'sandbox',
    summary: 'Run an offline stand-in for the model providers',
    options: [
      { name: 'port', short: 'p', value: 'PORT', help: 'Port (default: 8790)' },
      { name: 'host', value: 'HOST', help: 'Address (default: 127.0.0.1)' },
    ],
    load: () => import('./sandbox.ts'),
  },
]
