import * as fc from 'fast-check'

/** An event as the standard's own parser sees it; written without a look at the gateway's. */
export interface ReadEvent {
  readonly name: string
  readonly data: string
}

/** Reads a whole event stream. A last event without its blank line counts, as SDKs have it. */
export function readEvents(text: string): ReadEvent[] {
  const blocks = text.replaceAll(/\r\n?/g, '\n').split('\n\n')
  return blocks.flatMap((block) => {
    const lines = block.split('\n').filter((line) => line !== '' && !line.startsWith(':'))
    const fields = lines.map((line) => /^([^:]*)(?:: ?)?(.*)$/s.exec(line) ?? [])
    const valuesOf = (field: string) =>
      fields.filter(([, name]) => name === field).map(([, , value = '']) => value)
    const data = valuesOf('data')
    return data.length === 0
      ? []
      : [{ name: valuesOf('event').at(-1) ?? '', data: data.join('\n') }]
  })
}

/** An event that an upstream sends: `name` is absent where its dialect has no `event:` lines. */
export interface SentEvent {
  readonly name?: string
  readonly data: string
}

export interface FrameStyle {
  readonly lineEnd: '\n' | '\r\n'
  readonly space: string
  readonly comment: boolean
}

/** A style for each frame in turn; line ends are the same throughout, as servers have them. */
export const frameStyles: fc.Arbitrary<FrameStyle[]> = fc
  .tuple(
    fc.constantFrom<FrameStyle['lineEnd']>('\n', '\r\n'),
    fc.array(fc.record({ space: fc.constantFrom('', ' '), comment: fc.boolean() }), {
      minLength: 1,
      maxLength: 5,
    }),
  )
  .map(([lineEnd, styles]) => styles.map((style) => ({ ...style, lineEnd })))

/** A frame as it goes over the wire. JSON of several lines takes several `data:` lines. */
export function formatEvent({ name, data }: SentEvent, style: FrameStyle): string {
  const { lineEnd, space, comment } = style
  const lines = data.split(/\r\n|\n|\r/).map((line) => `data:${space}${line}`)
  if (name !== undefined) lines.unshift(`event:${space}${name}`)
  if (comment) lines.unshift(': a comment')
  return `${lines.join(lineEnd)}${lineEnd}${lineEnd}`
}
