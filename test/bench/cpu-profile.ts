/** Reads a `.cpuprofile`: which functions had the processor, without what they called. */

interface CallFrame {
  functionName: string
  url: string
  lineNumber: number
}

export interface CpuProfile {
  nodes: { id: number; callFrame: CallFrame }[]
  /** Microseconds on the machine's monotonic clock. */
  startTime: number
  samples: number[]
  timeDeltas: number[]
}

export interface SelfTime {
  place: string
  micros: number
}

/** Self time by function between two moments, the longest first. */
export function selfTimes(profile: CpuProfile, from: number, to: number): SelfTime[] {
  const places = new Map(profile.nodes.map(({ id, callFrame }) => [id, placeOf(callFrame)]))
  const totals = new Map<string, number>()
  let now = profile.startTime
  profile.samples.forEach((id, index) => {
    const micros = profile.timeDeltas[index] ?? 0
    now += micros
    if (now < from || now > to) return
    const place = places.get(id) ?? '(unknown)'
    totals.set(place, (totals.get(place) ?? 0) + micros)
  })
  return [...totals]
    .map(([place, micros]) => ({ place, micros }))
    .sort((a, b) => b.micros - a.micros)
}

const repository = new URL('../../', import.meta.url).href

function placeOf({ functionName, url, lineNumber }: CallFrame): string {
  const name = functionName === '' ? '(anonymous)' : functionName
  return url === '' ? name : `${name}  ${url.replace(repository, '')}:${lineNumber + 1}`
}
