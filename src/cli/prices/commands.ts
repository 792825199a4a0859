import { parseTime } from '../../audit/lines.ts'
import { defined } from '../../lib/json/object.ts'
import { type Invocation, UsageError } from '../command.ts'
import { reasonFor, requireId } from '../operand.ts'
import { limitOf, mapPages, printList } from '../print-list.ts'
import { doAct, readPages, useAdmin } from '../remote/admin.ts'
import { quoted } from '../remote/failures.ts'
import type { PriceNode } from '../remote/nodes.ts'
import { acts, lists } from '../remote/operations.ts'

/** `dragoman prices list`. */
export function list(invocation: Invocation): Promise<number> {
  const limit = limitOf(invocation)
  const { provider, unpriced } = invocation.options
  const filter = {
    ...(provider !== undefined && { provider }),
    ...(unpriced !== undefined && { unpriced: true }),
  }
  return useAdmin(invocation, {}, (admin) =>
    printList(
      invocation,
      mapPages(readPages(admin, lists.prices, { limit, arguments: filter }), describePrice),
      {
        titles: ['MODEL', 'INPUT', 'OUTPUT', 'CACHE READ', 'OF', 'BEGINS', 'PRICE FROM', 'CHECKED'],
        row: ({
          model,
          input = '',
          output = '',
          cacheRead = '',
          of = 'all accounts',
          begins = '',
          from,
          checked = '',
        }) => [model, input, output, cacheRead, of, begins, from, checked],
        none: 'No prices match.',
      },
    ),
  )
}

/** The advice for a store in memory. */
const change = { instead: 'add it to prices in the configuration' }

/** The options of the classes of tokens. */
const classes = {
  input: 'input',
  output: 'output',
  'cache-read': 'cacheRead',
  'cache-write': 'cacheWrite',
  'cache-write-1h': 'cacheWrite1h',
} as const

/** `dragoman prices set MODEL`. */
export async function set(invocation: Invocation): Promise<number> {
  const { terminal, options } = invocation
  const rates = Object.entries(classes).flatMap(([option, name]) => {
    const amount = options[option]
    return amount === undefined ? [] : [[name, parseUsd(option, amount)] as const]
  })
  const search = options['search'] === undefined ? undefined : parseUsd('search', options['search'])
  const isFree = options['free'] !== undefined
  if (isFree === rates.length > 0) {
    throw new UsageError('`prices set` needs rates, such as --input 2.50 --output 10, or --free.')
  }
  const input = defined({
    ...scopeOf(invocation, 'prices set'),
    rates: isFree ? undefined : Object.fromEntries(rates),
    isFree: isFree || undefined,
    search,
    dryRun: options['dry-run'] === undefined ? undefined : true,
    reason: options['reason'],
  })
  const { price, warnings, dryRun } = await useAdmin(invocation, change, (admin) =>
    doAct(admin, acts.setPrice, input),
  )
  if (options['json'] !== undefined) terminal.out(JSON.stringify(price && describePrice(price)))
  for (const warning of warnings) terminal.say(`Warning: ${quoted(warning)}.`)
  terminal.say(
    dryRun
      ? `The price of "${input.model}" could be set. Nothing was changed.`
      : `The price of "${input.model}" is set. Running gateways have it within two seconds.`,
  )
  return 0
}

/** `dragoman prices remove MODEL`. */
export async function remove(invocation: Invocation): Promise<number> {
  const { terminal, options } = invocation
  const scope = scopeOf(invocation, 'prices remove')
  const input = { ...scope, reason: reasonFor(invocation, 'prices remove') }
  await useAdmin(invocation, change, (admin) => doAct(admin, acts.removePrice, input))
  if (options['json'] !== undefined) terminal.out(JSON.stringify({ model: scope.model }))
  terminal.say(
    `The price of "${scope.model}" is removed. Running gateways do without it within two seconds.`,
  )
  return 0
}

/** The model of a price, and what it is for. Throws `UsageError`. */
function scopeOf(invocation: Invocation, command: string) {
  const model = requireId(invocation, 'model', command, 'model')
  const { account, provider, from } = invocation.options
  const time = from === undefined ? undefined : parseTime(from)
  if (from !== undefined && (time === undefined || Number.isNaN(time))) {
    throw new UsageError(
      `"${from}" is not a time for --from: use 2030-01-31 or 2030-01-31T00:00:00Z.`,
    )
  }
  return defined({
    model,
    accountId: account,
    provider,
    from: time === undefined ? undefined : new Date(time).toISOString(),
  })
}

function parseUsd(option: string, text: string): string {
  if (/^\d{1,9}(?:\.\d{1,6})?$/.test(text)) return text
  throw new UsageError(`--${option} takes USD, as 2.50, not "${text}".`)
}

const origins = { STORE: 'store', FILE: 'configuration', PUBLISHED: 'published' } as const

/** Rates are USD for a million tokens. */
function describePrice(price: PriceNode) {
  const { model, accountId, provider, origin, checkedAt, isFree, from, rates } = price
  const of = accountId ?? provider ?? undefined
  const shown = isFree ? { input: '0', output: '0', cacheRead: null } : rates
  const { input, output, cacheRead } = shown ?? { input: null, output: null, cacheRead: null }
  return {
    model,
    ...(input !== null && { input }),
    ...(output !== null && { output }),
    ...(cacheRead !== null && { cacheRead }),
    ...(of !== undefined && { of }),
    ...(from !== null && { begins: from }),
    from: origin === null ? 'none' : origins[origin],
    ...(checkedAt !== null && { checked: checkedAt.slice(0, 10) }),
  }
}
