import type { Framing } from '../contract/framing.ts'
import { changeData } from '../kit/framing/change-data.ts'
import { applyEdits } from '../lib/json/edit.ts'
import { isKey } from '../lib/json/is-key.ts'
import { TooMuchJson, assertWithin } from '../lib/json/object.ts'
import { type ByteRange, decodeString, eachMember, skipSpace } from '../lib/json/scan.ts'
import { addPlace } from './places.ts'

/** The path of the member that names the model, from the root of a JSON object: `['response', 'model']`. */
type ModelPath = readonly string[]

const quote = 0x22
const openBrace = 0x7b

/** The keys of a path from the root of a JSON object, as JSON. */
type KeyPath = readonly Buffer[]

/**
 * Replaces the name of the model in native replies. All other bytes stay as they are. Throws `TooMuchJson` for a text
 * that names the model too often.
 */
export class ModelRenamer {
  readonly #path: KeyPath
  /** The new name as JSON. */
  readonly #text: string
  /** The key that names the model, as JSON. */
  readonly #key: string
  readonly #framing: Framing
  /** The name that the account reported first. */
  reported: string | undefined

  /** `framing`: the framing of the account's streams. */
  constructor(path: ModelPath, name: string, framing: Framing) {
    this.#framing = framing
    this.#path = path.map((key) => Buffer.from(JSON.stringify(key)))
    this.#text = JSON.stringify(name)
    this.#key = JSON.stringify(path.at(-1))
  }

  /** Renames the model in whole frames. It scans the frames that contain the key, and parses none. */
  inFrames(frames: Buffer): Buffer {
    if (!frames.includes(this.#key)) return frames
    return changeData(this.#framing, frames, (data) => {
      // The observer measures what it parses only behind this.
      assertWithin(data)
      return this.inJson(data)
    })
  }

  /** Renames the model in a complete JSON reply. JSON that is malformed stays as it is. */
  inJson(json: Buffer): Buffer {
    if (!json.includes(this.#key)) return json
    try {
      return this.#renamed(json, placesOf(json, this.#path))
    } catch (error) {
      if (error instanceof TooMuchJson) throw error
      // The observer reports the malformed frame.
      return json
    }
  }

  /** Only texts are replaced. */
  #renamed(json: Buffer, places: readonly ByteRange[]): Buffer {
    const names = places.filter(({ start }) => json[start] === quote)
    const [first] = names
    if (first) this.reported ??= decodeString(json, first)
    return applyEdits(
      json,
      names.map((name) => ({ ...name, text: this.#text })),
    )
  }
}

/** The values of the member at a path, and of its duplicates. Throws `TooMuchJson` for too many. */
function placesOf(json: Buffer, path: KeyPath): readonly ByteRange[] {
  let places: readonly ByteRange[] = [{ start: skipSpace(json, 0), end: json.length }]
  for (const key of path) {
    const inside: ByteRange[] = []
    for (const { start } of places) {
      if (json[start] !== openBrace) continue
      eachMember(json, start, (name, value) => {
        if (isKey(json, name, key)) addPlace(inside, value)
      })
    }
    places = inside
  }
  return places
}
