import { append } from '../lib/append.ts'
import { type ByteEdit, applyEdits } from '../lib/json/edit.ts'
import { decodeString, eachMember } from '../lib/json/scan.ts'
import { dataLines, nextBoundary } from '../lib/sse.ts'

/** The path of the member that names the model, from the root of a JSON object: `['response', 'model']`. */
type ModelPath = readonly string[]

const quote = 0x22
const space = 0x20
const openBrace = 0x7b
const lineEnd = Buffer.from('\n')

/** Replaces the name of the model in native replies. All other bytes stay as they are. */
export class ModelRenamer {
  readonly #path: ModelPath
  /** The new name as JSON. */
  readonly #text: string
  /** The key that names the model, as JSON. */
  readonly #key: string
  /** The name that the account reported first. */
  reported: string | undefined

  constructor(path: ModelPath, name: string) {
    this.#path = path
    this.#text = JSON.stringify(name)
    this.#key = JSON.stringify(path.at(-1))
  }

  /** Renames the model in a complete JSON reply. */
  inJson(json: Buffer): Buffer {
    return applyEdits(json, this.#edits(json, 0))
  }

  /**
   * Renames the model in whole frames of server-sent events. It scans the frames that contain the key,
   * and parses none. A frame that is not valid JSON may stay as it is.
   */
  inFrames(frames: Buffer): Buffer {
    if (!frames.includes(this.#key)) return frames
    const edits: ByteEdit[] = []
    let start = 0
    while (start < frames.length) {
      const end = nextBoundary(frames, start)
      const frame = frames.subarray(start, end)
      if (frame.includes(this.#key)) append(edits, this.#frameEdits(frame, start))
      start = end
    }
    return applyEdits(frames, edits)
  }

  #frameEdits(frame: Buffer, frameStart: number): ByteEdit[] {
    const lines = dataLines(frame)
    const [first] = lines
    if (!first) return []
    if (lines.length === 1) {
      return this.#edits(frame.subarray(first.start, first.end), frameStart + first.start)
    }
    const json = lines.flatMap(({ start, end }) => [frame.subarray(start, end), lineEnd])
    let before = 0
    const places = lines.map(({ start, end }) => {
      const place = { from: before, shift: frameStart + start - before }
      before += end - start + lineEnd.length
      return place
    })
    return this.#edits(Buffer.concat(json), 0).map((edit) => {
      // A JSON string never spans lines.
      const by = places.findLast(({ from }) => from <= edit.start)?.shift ?? 0
      return shifted(edit, by)
    })
  }

  /** The edits of a JSON text. `offset` is its position in the bytes that the edits apply to. */
  #edits(json: Buffer, offset: number): ByteEdit[] {
    try {
      return this.#namesIn(json).map((edit) => shifted(edit, offset))
    } catch {
      // A malformed key. The observer reports the malformed frame.
      return []
    }
  }

  /** The edits of the member at the path, and of its duplicates. Only a text is replaced. */
  #namesIn(json: Buffer): ByteEdit[] {
    const edits: ByteEdit[] = []
    const visit = (at: number, depth: number) => {
      eachMember(json, at, (key, value) => {
        if (decodeString(json, key) !== this.#path[depth]) return
        if (depth < this.#path.length - 1) visit(value.start, depth + 1)
        else if (json[value.start] === quote) {
          this.reported ??= decodeString(json, value)
          edits.push({ ...value, text: this.#text })
        }
      })
    }
    if (json[firstByte(json)] === openBrace) visit(0, 0)
    return edits
  }
}

function firstByte(json: Buffer): number {
  let at = 0
  while (at < json.length && (json[at] as number) <= space) at++
  return at
}

function shifted({ start, end, text }: ByteEdit, by: number): ByteEdit {
  return { start: start + by, end: end + by, text }
}
