/** A duration: `<1 ms, 16 ms, 1.28 s, 17.6 s, 2 min 51 s, 3 h 4 min, 2 d 5 h`. */
export function duration(ms: number): string {
  if (ms < 1) return ms <= 0 ? '0 ms' : '<1 ms'
  if (ms < 999.5) return `${Math.round(ms)} ms`
  if (ms < 9_995) return `${(ms / 1_000).toFixed(2)} s`
  if (ms < 59_950) return `${(ms / 1_000).toFixed(1)} s`
  return long(Math.round(ms / 1_000))
}

/** The remaining time, in whole seconds: `58 s`, `2 min 51 s`. */
export function remaining(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000))
  return seconds < 60 ? `${seconds} s` : long(seconds)
}

function long(seconds: number): string {
  const minutes = Math.floor(seconds / 60)
  const hours = Math.floor(minutes / 60)
  if (hours === 0) return pair(minutes, 'min', seconds % 60, 's')
  if (hours < 24) return pair(hours, 'h', minutes % 60, 'min')
  return pair(Math.floor(hours / 24), 'd', hours % 24, 'h')
}

function pair(large: number, unit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${unit}` : `${large} ${unit} ${small} ${smallUnit}`
}
