/** What the upstream calls its nth response. */
export function responseId(count: number): string {
  return `resp_${String(count).padStart(24, '0')}`
}
