import type { StateLook } from '../ui/State.tsx'

/** How a call has ended. */
export interface CallEnd {
  readonly status: number
  readonly end: 'BROKEN' | 'CLIENT_GONE' | 'COMPLETE'
  /** Absent: not asked for. */
  readonly attemptCount?: number
}

/** How the outcome of a call looks. */
export function callLook({ status, end, attemptCount = 1 }: CallEnd): StateLook {
  if (end === 'BROKEN') return { word: 'Broke off', shape: 'broken', tone: 'bad' }
  if (end === 'CLIENT_GONE' || status === 499)
    return { word: 'Client left', shape: 'arrow', tone: 'none' }
  const word = String(status)
  if (status >= 500) return { word, shape: 'cross', tone: 'bad' }
  if (status >= 400) return { word, shape: 'triangle', tone: 'warn' }
  return { word, shape: 'check', tone: attemptCount > 1 ? 'warn' : 'ok' }
}
