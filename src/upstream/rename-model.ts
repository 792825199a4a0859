import type { Framing } from '../contract/framing.ts'
import { changeData } from '../kit/framing/change-data.ts'
import { type ByteEdit, applyEdits } from '../lib/json/edit.ts'
import { decodeString, eachMember } from '../lib/json/scan.ts'

/** The path of the member that names the model, from the root of a JSON object: `['response', 'model']`. */
type ModelPath = readonly string[]

const quote = 0x22
const space = 0x20
const openBrace = 0x7b

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

  /** Renames the model in a complete JSON reply. JSON that is malformed stays as it is. */
  inJson(json: Buffer): Buffer {
    if (!json.includes(this.#key)) return json
    try {
      return applyEdits(json, this.#namesIn(json))
    } catch {
      // A malformed key. The observer reports the malformed frame.
      return json
    }
  }

  /** Renames the model in whole frames. It scans the frames that contain the key, and parses none. */
  inFrames(frames: Buffer, framing: Framing): Buffer {
    if (!frames.includes(this.#key)) return frames
    return changeData(framing, frames, (data) => this.inJson(data))
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
