import type { StateLook } from '../../ui/State.tsx'
import type { OverviewProcess } from './types.ts'

/** The word and the shape of a process's state. */
export function processLook({ stale, draining, ready }: OverviewProcess): StateLook {
  if (stale) return { word: 'Not heard of', shape: 'quarter', tone: 'warn' }
  if (draining) return { word: 'Draining', shape: 'arrow', tone: 'none' }
  if (!ready) return { word: 'Not ready', shape: 'cross', tone: 'bad' }
  return { word: 'Ready', shape: 'dot', tone: 'ok' }
}

/** The name of a process: its worker, or its host and its number there. */
export function processName({ host, pid, worker }: OverviewProcess): string {
  return worker === null || worker === undefined ? `${host} ${pid}` : `${host} worker ${worker}`
}
