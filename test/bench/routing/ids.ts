import { hash } from 'node:crypto'

/**
 * What the upstream calls its nth response, and what is in it. As OpenAI's ids do, they begin with
 * the second that they are of, and are random beyond it: a store must put each in its own place.
 */
export function resourceId(kind: 'resp' | 'rs' | 'msg', count: number): string {
  const second = (1_700_000_000 + Math.floor(count / 2_000)).toString(16)
  return `${kind}_${second}${hash('sha256', `${kind}${count}`, 'hex').slice(0, 40)}`
}
