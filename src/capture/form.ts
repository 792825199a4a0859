import type { Form, FormPart } from '../contract/body.ts'

/** A part of a form as a capture has it. */
export interface CapturedPart {
  readonly name: string
  readonly filename?: string | undefined
  readonly type?: string | undefined
  /** Absent: a file, or a text that is not at hand. */
  readonly text?: string | undefined
  /** The size of its content. */
  readonly bytes: number
  /** Whether `text` is not all of it. */
  readonly isCut: boolean
}

/** The texts of a form, and descriptions of its files. */
export interface CapturedForm {
  readonly parts: readonly CapturedPart[]
  /** Bytes of the whole form. */
  readonly size: number
  /** Whether it has more parts. */
  readonly isCut: boolean
}

/** A form may have a thousand parts. */
const mostParts = 100

/** Copies the texts of a form, together up to `mostBytes`. Of texts with one name only the first is at hand. */
export function captureForm(form: Form, mostBytes: number): CapturedForm {
  const copied = new Set<string>()
  let left = mostBytes
  const parts = form.parts.slice(0, mostParts).map((part): CapturedPart => {
    const { name, filename, type, start, end } = part
    const whole = { name, filename, type, bytes: end - start }
    if (filename !== undefined) return { ...whole, isCut: false }
    const text = copied.has(name) ? undefined : textOf(form, part)?.subarray(0, left)
    copied.add(name)
    const length = text?.length ?? 0
    left -= length
    const isCut = length < whole.bytes
    return { ...whole, isCut, ...(text && (length > 0 || !isCut) && { text: text.toString() }) }
  })
  return { parts, size: form.size, isCut: form.parts.length > mostParts }
}

/** A text that is too long for memory is on the disk only. */
function textOf(form: Form, { name }: FormPart): Buffer | undefined {
  try {
    const text = form.text(name)
    return text === undefined ? undefined : Buffer.from(text)
  } catch {
    return undefined
  }
}
