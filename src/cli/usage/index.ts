import { parseTime } from '../../audit/lines.ts'
import { dimensions } from '../../history/usage.ts'
import { type Invocation, UsageError } from '../command.ts'
import { useAdmin } from '../remote/admin.ts'
import type { UsageRowNode } from '../remote/nodes.ts'
import { queries } from '../remote/operations.ts'
import { alignColumns } from '../table.ts'

/** Without `--from`, the last seven days. */
const usualMs = 7 * 24 * 60 * 60_000

/** `dragoman usage`: what calls have used and cost. */
export async function run(invocation: Invocation): Promise<number> {
  const { terminal, options } = invocation
  const to = timeOf('to', options['to']) ?? Date.now()
  const from = timeOf('from', options['from']) ?? to - usualMs
  const by = dimensionsOf(options['by'] ?? 'key,model')
  const { key: keyId, account: accountId, team, model } = options
  const variables = {
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    by,
    filter: { keyId, accountId, team, model },
  }
  const usage = await useAdmin(
    invocation,
    {},
    async (admin) => (await admin.request(queries.usage, variables)).usage,
  )
  if (options['json'] !== undefined) {
    terminal.out(JSON.stringify(usage))
    return 0
  }
  if (usage.rows.length === 0) {
    terminal.say(`There were no calls from ${variables.from} to ${variables.to}.`)
    return 0
  }
  const titles = [...(hasTime(by) ? ['START'] : []), ...by.filter((one) => !isTime(one))]
  const rows = usage.rows.map((row) => [...ownerOf(row, by), ...numbersOf(row)])
  const total = ['TOTAL', ...titles.slice(1).map(() => ''), ...numbersOf(usage.totals)]
  const all = [[...titles, ...numbers], ...rows, ...(titles.length > 0 ? [total] : [])]
  terminal.out(alignColumns(all).join('\n'))
  return 0
}

const numbers = ['CALLS', 'FAILED', 'INPUT', 'OUTPUT', 'USD', 'UNPRICED', 'ESTIMATED']

function numbersOf(row: UsageRowNode): string[] {
  const { calls, failures, inputTokens, outputTokens, cost, unpricedCalls, estimatedCalls } = row
  const tokens = [inputTokens, outputTokens].map(String)
  return [
    String(calls),
    String(failures),
    ...tokens,
    // A sum of 0 beside unknown costs says nothing of them.
    unpricedCalls > 0 && Number(cost) === 0 ? '-' : cost,
    String(unpricedCalls),
    String(estimatedCalls),
  ]
}

type Dimension = (typeof dimensions)[number]

function ownerOf(row: UsageRowNode, by: readonly Dimension[]): string[] {
  const members = { KEY: row.key, TEAM: row.team, MODEL: row.model, ACCOUNT: row.account }
  const names = by.flatMap((one) => (one === 'DAY' || one === 'HOUR' ? [] : [members[one] || '-']))
  return [...(hasTime(by) ? [row.start ?? ''] : []), ...names]
}

function isTime(one: Dimension): boolean {
  return one === 'DAY' || one === 'HOUR'
}

function hasTime(by: readonly Dimension[]): boolean {
  return by.some(isTime)
}

/** `--by day,key,model`. Throws `UsageError`. */
function dimensionsOf(text: string): Dimension[] {
  return text.split(',').map((word) => {
    const found = dimensions.find((one) => one === word.trim().toUpperCase())
    if (found) return found
    const known = dimensions.map((one) => one.toLowerCase()).join(', ')
    throw new UsageError(`"${word}" is none of ${known}, which --by takes.`)
  })
}

function timeOf(name: string, text: string | undefined): number | undefined {
  const time = parseTime(text)
  if (!Number.isNaN(time)) return time
  throw new UsageError(`"${text}" is not a time for --${name}: use 2030-01-31T00:00:00Z.`)
}
