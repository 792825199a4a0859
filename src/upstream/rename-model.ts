import type { Framing } from '../contract/framing.ts'
import { changeData } from '../kit/framing/change-data.ts'
import { largeFrameBytes } from '../kit/large-events.ts'
import { applyEdits } from '../lib/json/edit.ts'
import type { JsonLimits } from '../lib/json/measure.ts'
import { TooMuchJson, mostJson } from '../lib/json/object.ts'
import { type ByteRange, decodeString } from '../lib/json/scan.ts'
import type { MaybePromise } from '../lib/maybe-promise.ts'
import { Turns } from '../lib/turns.ts'
import { changeInTurns } from './change-in-turns.ts'
import { type KeyPath, placesInTurns, placesOf } from './member-places.ts'

/** The path of the member that names the model, from the root of a JSON object: `['response', 'model']`. */
type ModelPath = readonly string[]

const quote = 0x22

/** For a text that has been measured. */
const noLimits: JsonLimits = { jsonDepth: Infinity, jsonValues: Infinity }

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
  readonly #owner: string | undefined
  /** The name that the account reported first. */
  reported: string | undefined

  /** `owner`: the id of the API key whose call it is. */
  constructor(path: ModelPath, name: string, owner?: string) {
    this.#owner = owner
    this.#path = path.map((key) => Buffer.from(JSON.stringify(key)))
    this.#text = JSON.stringify(name)
    this.#key = JSON.stringify(path.at(-1))
  }

  /** Renames the model in a complete JSON reply that has been measured, a large one in turns of the event loop. */
  inReply(json: Buffer): MaybePromise<Buffer> {
    return json.length < largeFrameBytes
      ? this.#inJson(json)
      : this.#inTurns(json, noLimits, new Turns({ owner: this.#owner }))
  }

  /** Renames the model in whole frames. It scans the frames that contain the key, and parses none. */
  inFrames(frames: Buffer, framing: Framing): Buffer {
    if (!frames.includes(this.#key)) return frames
    return changeData(framing, frames, (data) => this.#inJson(data))
  }

  /** The same in turns of the event loop. */
  async inFramesInTurns(frames: Buffer, framing: Framing, signal: AbortSignal): Promise<Buffer> {
    if (!frames.includes(this.#key)) return frames
    return changeInTurns(framing, frames, { signal, owner: this.#owner }, (data, turns) =>
      data.length < largeFrameBytes ? this.#inJson(data) : this.#inTurns(data, mostJson, turns),
    )
  }

  /** JSON that is malformed stays as it is. */
  #inJson(json: Buffer): Buffer {
    if (!json.includes(this.#key)) return json
    try {
      return this.#renamed(json, placesOf(json, this.#path))
    } catch (error) {
      return unlessTooMuch(json, error)
    }
  }

  async #inTurns(json: Buffer, limits: JsonLimits, turns: Turns): Promise<Buffer> {
    if (!json.includes(this.#key)) return json
    try {
      const places = await placesInTurns(json, this.#path, limits, turns)
      await turns.next()
      return this.#renamed(json, places)
    } catch (error) {
      return unlessTooMuch(json, error)
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

/** JSON with a malformed key as it is: the observer reports the malformed frame. */
function unlessTooMuch(json: Buffer, error: unknown): Buffer {
  if (error instanceof TooMuchJson) throw error
  return json
}
