import { parseTime } from '../../audit/lines.ts'
import { limitKinds } from '../../contract/quota.ts'
import { defined } from '../../lib/json/object.ts'
import { type Invocation, UsageError } from '../command.ts'
import { choiceOf, reasonFor, requireId } from '../operand.ts'
import { type ListPage, limitOf, mapPages, printList } from '../print-list.ts'
import { doAct, useAdmin } from '../remote/admin.ts'
import type { AdminClient } from '../remote/answer.ts'
import { quoted } from '../remote/failures.ts'
import type { LimitNode } from '../remote/nodes.ts'
import { acts, queries } from '../remote/operations.ts'
import { describeLimit, limitRow, limitTitles } from './describe.ts'

/** The advice for a store in memory. */
const change = { instead: 'add it to the quotas of its subject in the configuration' }

/** The largest page of the API. */
const pageSize = 100

/** `dragoman limits list`. */
export function list(invocation: Invocation): Promise<number> {
  const limit = limitOf(invocation)
  const { subject } = invocation.options
  return useAdmin(invocation, {}, (admin) =>
    printList(
      invocation,
      mapPages(readLimits(admin, subject && parseSubject(subject), limit), describeLimit),
      {
        titles: limitTitles,
        row: limitRow,
        none: 'No limits exist. Add quotas in the configuration, or set one by `limits set`.',
      },
    ),
  )
}

async function* readLimits(
  admin: Pick<AdminClient, 'request'>,
  subject: Subject | undefined | '',
  limit: number,
): AsyncGenerator<ListPage<LimitNode>> {
  let after: string | undefined
  for (let left = limit; left > 0;) {
    const first = Math.min(pageSize, left)
    const variables = defined({ subject: subject || undefined, first, after })
    const { limits } = await admin.request(queries.limits, variables)
    left -= limits.length
    const isLast = limits.length < first
    yield { nodes: limits, isLast }
    if (isLast) return
    after = limits.at(-1)!.id
  }
}

/** `dragoman limits set SUBJECT`. */
export async function set(invocation: Invocation): Promise<number> {
  const { terminal, options, operand } = invocation
  if (operand === undefined) {
    throw new UsageError('Whose limit? `limits set key:ID`, team:ID, account:ID or gateway.')
  }
  const kind = choiceOf(
    invocation,
    'kind',
    limitKinds.map((one) => one.toLowerCase()),
  )
  if (kind === undefined)
    throw new UsageError(`\`limits set\` needs --kind: ${limitKinds.join(', ')}.`)
  const { amount, window, models, zone, reason } = options
  if (amount === undefined) throw new UsageError('`limits set` needs --amount N.')
  const input = defined({
    subject: parseSubject(operand),
    kind: kindOf(kind),
    amount: parseAmount(amount),
    window,
    models: models?.split(',').map((name) => name.trim()),
    action: options['warn'] === undefined ? undefined : 'WARN',
    strict: options['strict'] === undefined ? undefined : true,
    zone,
    dryRun: options['dry-run'] === undefined ? undefined : true,
    reason,
  })
  const { limit, warnings, dryRun } = await useAdmin(invocation, change, (admin) =>
    doAct(admin, acts.setLimit, input),
  )
  if (options['json'] !== undefined) terminal.out(JSON.stringify(limit && describeLimit(limit)))
  for (const warning of warnings) terminal.say(`Warning: ${quoted(warning)}.`)
  const name = limit ? `"${quoted(limit.id)}"` : `of ${operand}`
  const more = `${window === undefined ? windowOf(limit) : ''}${spentOf(limit)}`
  terminal.say(
    dryRun
      ? `The limit ${name} could be set. Nothing was changed.${more}`
      : `The limit ${name} is set. Running gateways have it within two seconds.${more}`,
  )
  return 0
}

/** The window that the command line has left open. */
function windowOf(limit: LimitNode | null): string {
  if (!limit || limit.window === null) return ''
  const meant = limit.window === 'total' ? 'for all time' : `for ${limit.window}`
  return ` It holds ${meant}: --window names another, such as day or month.`
}

function spentOf(limit: LimitNode | null): string {
  if (!limit || limit.spent === null) return ''
  return ` Spent in the present period: ${limit.spent} of ${limit.amount}.`
}

/** `dragoman limits remove ID`. */
export async function remove(invocation: Invocation): Promise<number> {
  const { terminal, options } = invocation
  const id = requireId(invocation, 'limit', 'limits remove')
  const input = { id, reason: reasonFor(invocation, 'limits remove') }
  await useAdmin(invocation, change, (admin) => doAct(admin, acts.removeLimit, input))
  if (options['json'] !== undefined) terminal.out(JSON.stringify({ id }))
  terminal.say(`The limit "${id}" is removed. Running gateways do without it within two seconds.`)
  return 0
}

/** `dragoman limits reset ID`. */
export async function reset(invocation: Invocation): Promise<number> {
  const { terminal, options } = invocation
  const id = requireId(invocation, 'limit', 'limits reset')
  const input = { id, reason: reasonFor(invocation, 'limits reset') }
  const { limit } = await useAdmin(invocation, change, (admin) =>
    doAct(admin, acts.resetLimit, input),
  )
  if (options['json'] !== undefined)
    terminal.out(JSON.stringify(limit ? describeLimit(limit) : { id }))
  terminal.say(`The limit "${id}" is reset: nothing is spent of it in the present period.`)
  return 0
}

/** `dragoman limits grant ID --amount N --until TIME`. */
export async function grant(invocation: Invocation): Promise<number> {
  const { terminal, options } = invocation
  const id = requireId(invocation, 'limit', 'limits grant')
  const { amount, until } = options
  const time = until === undefined ? undefined : parseTime(until)
  if (amount === undefined || time === undefined || Number.isNaN(time)) {
    throw new UsageError('`limits grant` needs --amount N and --until 2030-01-31T00:00:00Z.')
  }
  const input = {
    id,
    amount: parseAmount(amount),
    until: new Date(time).toISOString(),
    reason: reasonFor(invocation, 'limits grant'),
  }
  const { limit } = await useAdmin(invocation, change, (admin) =>
    doAct(admin, acts.grantExtra, input),
  )
  if (options['json'] !== undefined)
    terminal.out(JSON.stringify(limit ? describeLimit(limit) : { id }))
  terminal.say(`The limit "${id}" has ${amount} more until ${input.until}.`)
  return 0
}

interface Subject {
  readonly type: string
  readonly id?: string
}

/** `key:ID`, `team:ID`, `account:ID` or `gateway`. Throws `UsageError`. */
function parseSubject(text: string): Subject {
  const [, type = '', id] = /^(key|team|account):(.+)$/.exec(text) ?? []
  if (id !== undefined) return { type: type.toUpperCase(), id }
  if (text === 'gateway') return { type: 'GATEWAY' }
  throw new UsageError(`"${text}" is not key:ID, team:ID, account:ID or gateway.`)
}

function parseAmount(text: string): string {
  if (/^\d{1,16}(?:\.\d{1,9})?$/.test(text)) return text
  throw new UsageError(`--amount takes a number from 0, as 100 or 12.50, not "${text}".`)
}

/** `inputtokens` as the API names it. */
function kindOf(word: string): string {
  const kind = limitKinds.find((one) => one.toLowerCase() === word) ?? word
  return kind.replace('Tokens', '_TOKENS').toUpperCase()
}
