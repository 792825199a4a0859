import { visibleInLine } from '../../lib/visible.ts'
import type { LiveNode } from '../remote/nodes.ts'

/** The word of each type of event, and the members that its line leaves out: JSON has them. */
const words: Readonly<Record<string, string>> = {
  PulseSample: 'pulse',
  ExchangeBegan: 'exchange.began',
  ExchangeChanged: 'exchange.changed',
  ExchangeEnded: 'exchange.ended',
  AccountChanged: 'account.changed',
  CircuitChanged: 'circuit.changed',
  JobChanged: 'job.changed',
  ConfigurationChanged: 'configuration.changed',
  AuditRecorded: 'audit',
  Missed: 'missed',
}

/** Members of an exchange that only JSON has. */
const details = new Set(['startedAt', 'endedAt', 'bytesIn', 'bytesOut', 'ageMs', 'stream'])

/**
 * An event in one line: the time, what happened, and its members as `name=value`. Members that are null,
 * and some details of exchanges, are left out.
 */
export function describeEvent({ type, ...members }: LiveNode, now: number): string {
  const pairs = pairsOf(members, '')
  return [new Date(now).toISOString(), words[type] ?? visibleInLine(type), ...pairs].join(' ')
}

/** The members of `exchange` and `entry` stand beside the members of the event itself. */
const unwrapped = new Set(['exchange', 'entry'])

function pairsOf(members: Readonly<Record<string, unknown>>, path: string): string[] {
  return Object.entries(members).flatMap(([name, value]) => {
    if (value === null || value === undefined || (path === '' && details.has(name))) return []
    if (Array.isArray(value)) {
      const items = value.filter((one) => !isQuiet(one))
      return items.length === 0 ? [] : [`${path}${name}=${shown(items.map(summaryOf).join('; '))}`]
    }
    if (typeof value === 'object') {
      const inner = unwrapped.has(name) ? path : `${path}${name}.`
      return pairsOf(value as Readonly<Record<string, unknown>>, inner)
    }
    return [`${path}${name}=${shown(textOf(value))}`]
  })
}

/** An attempt that did not fail says nothing that the line of its exchange does not say. */
function isQuiet(item: unknown): boolean {
  const { outcome } = Object(item) as { outcome?: unknown }
  return outcome !== undefined && outcome !== 'FAILED'
}

/** An exclusion, a problem or a failed attempt. */
function summaryOf(item: unknown): string {
  const values = Object.entries(Object(item) as object).filter(
    ([name, value]) => name !== 'fix' && value !== null && value !== false,
  )
  return values.map(([name, value]) => `${name}=${textOf(value)}`).join(' ')
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Values that could be mistaken for several members, or begin another line, are quoted. */
function shown(value: string): string {
  return /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value)
}
