import type { StateLook } from '../ui/State.tsx'

/** What the state and the name of a process are read from. */
interface ProcessView {
  readonly host: string
  readonly pid: number
  readonly worker?: number | null
  readonly ready: boolean
  readonly draining: boolean
  readonly stale: boolean
}

/** The word and the shape of a process's state. */
export function processLook({ stale, draining, ready }: ProcessView): StateLook {
  if (stale) return { word: 'Not heard of', shape: 'quarter', tone: 'warn' }
  if (draining) return { word: 'Draining', shape: 'arrow', tone: 'none' }
  if (!ready) return { word: 'Not ready', shape: 'cross', tone: 'bad' }
  return { word: 'Ready', shape: 'dot', tone: 'ok' }
}

/** The name of a process: its worker, or its host and its number there. */
export function processName({
  host,
  pid,
  worker,
}: Pick<ProcessView, 'host' | 'pid' | 'worker'>): string {
  return worker === null || worker === undefined ? `${host} ${pid}` : `${host} worker ${worker}`
}
