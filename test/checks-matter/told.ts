/** What a run of tests tells of one test or file. */
export interface Told {
  /** `file > suite > test`. */
  readonly name: string
  readonly state?: string
  /** What broke outside of all tests. */
  readonly trouble?: string
}

const mark = '@told '

export function line(told: Told): string {
  return `${mark}${JSON.stringify(told)}\n`
}

/** `undefined` for a line of something else. */
export function readLine(text: string): Told | undefined {
  return text.startsWith(mark) ? (JSON.parse(text.slice(mark.length)) as Told) : undefined
}
