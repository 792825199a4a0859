import type { Account } from '../contract/account.ts'
import type { UpstreamAnswer } from '../contract/errors.ts'

/** Replaces the account's credential and address in a text. */
export function redact(text: string, { credential, origin }: Account): string {
  const { host, hostname } = new URL(origin)
  let clean = text
  for (const place of [origin, host, hostname]) clean = replaceAnyCase(clean, place, '[upstream]')
  return credential ? clean.replaceAll(credential, '[secret]') : clean
}

/**
 * Redacts an upstream's error reply. Searches the decoded strings, since JSON can escape the same text
 * in many ways; the bytes change only if there is something to redact.
 */
export function redactAnswer(answer: UpstreamAnswer, account: Account): UpstreamAnswer {
  if (answer.json === undefined) {
    return { ...answer, body: Buffer.from(redact(answer.body.toString(), account)) }
  }
  const json = redactValue(answer.json, account)
  return json === answer.json
    ? answer
    : { ...answer, json, body: Buffer.from(JSON.stringify(json)) }
}

/** Redacts every string of a JSON value. Returns the value itself if there is nothing to redact. */
export function redactValue(value: unknown, account: Account): unknown {
  if (typeof value === 'string') return redact(value, account)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => redactValue(item, account))
    return items.some((item, index) => item !== value[index]) ? items : value
  }
  const entries = Object.entries(value)
  const clean = entries.map(([key, item]) => [redact(key, account), redactValue(item, account)])
  const changed = clean.some(([key, item], index) => {
    const [oldKey, oldItem] = entries[index] as [string, unknown]
    return key !== oldKey || item !== oldItem
  })
  return changed ? Object.fromEntries(clean) : value
}

function replaceAnyCase(text: string, found: string, instead: string): string {
  const escaped = found.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return text.replaceAll(new RegExp(escaped, 'gi'), instead)
}
