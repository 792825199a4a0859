import { TooMuchJson, assertWithin } from '../lib/json/object.ts'
import type { Framing } from '../contract/framing.ts'
import { changeData } from '../kit/framing/change-data.ts'
import { type ByteEdit, applyEdits } from '../lib/json/edit.ts'
import { type ByteRange, decodeString, eachMember, skipSpace } from '../lib/json/scan.ts'
import type { ReadReply } from '../contract/attempt.ts'
import type { Routed } from '../contract/exchange.ts'
import type { Target } from '../contract/operation.ts'
import type { Renamed } from '../contract/relocation.ts'
import { fillPath } from '../kit/account-path.ts'
import { smallJson } from '../lib/json/measure.ts'
import { type MaybePromise, isThenable } from '../lib/maybe-promise.ts'
import { nextTurn } from '../lib/turns.ts'

/** Names in one text that are replaced. No provider repeats one as often, and each takes memory and time. */
const mostPlaces = 10_000

/** Adds the place of a name that is replaced. Throws `TooMuchJson` where there are too many. */
function addPlace<Place>(places: Place[], place: Place): void {
  if (places.length === mostPlaces) throw new TooMuchJson()
  places.push(place)
}

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

/** Reads a native reply, without a signal. */
export type ReadNative = (json: unknown, received?: Buffer) => MaybePromise<ReadReply>

/** The edits that put the account's id of a resource in the place of the client's one. */
export function idEdits({ call }: Routed, { id, upstreamId }: Renamed): ByteEdit[] {
  return call.refersTo.flatMap((one) =>
    one.id === id && one.at ? [{ ...one.at, text: JSON.stringify(upstreamId) }] : [],
  )
}

/** The target with the account's id of a resource in its path. */
export function renamePath(target: Target, { id, upstreamId }: Renamed): Target {
  const segment = fillPath('{id}', { id })
  const renamed = fillPath('{id}', { id: upstreamId })
  const path = target.path
    .split('/')
    .map((one) => (one === segment ? renamed : one))
    .join('/')
  return { ...target, path }
}

/** Reads a reply in which the resource has the client's id. */
export function readWithClientId(read: ReadNative, renamed: Renamed, keyId: string): ReadNative {
  return (json, received) => {
    const shown = received && withClientId(received, renamed)
    if (!shown || shown === received) return read(json, received)
    const readAgain = (): MaybePromise<ReadReply> => {
      const reply = read(JSON.parse(shown.toString()), shown)
      const withShown = (reply: ReadReply): ReadReply => ({ body: shown, ...reply })
      return isThenable(reply) ? reply.then(withShown) : withShown(reply)
    }
    return shown.length > smallJson ? nextTurn(keyId).then(readAgain) : readAgain()
  }
}

/** Puts the client's id of a resource into whole frames. */
export function framesWithClientId(frames: Buffer, renamed: Renamed, framing: Framing): Buffer {
  if (!frames.includes(JSON.stringify(renamed.upstreamId))) return frames
  return changeData(framing, frames, (data) => withClientId(data, renamed))
}

/**
 * The bytes with the client's id in place of the account's; the same buffer if they do not have it. Throws
 * `TooMuchJson` where they have it too often.
 */
function withClientId(bytes: Buffer, { id, upstreamId }: Renamed): Buffer {
  const token = JSON.stringify(upstreamId)
  const text = JSON.stringify(id)
  const edits: ByteEdit[] = []
  for (let at = bytes.indexOf(token); at >= 0; at = bytes.indexOf(token, at + token.length)) {
    addPlace(edits, { start: at, end: at + token.length, text })
  }
  return applyEdits(bytes, edits)
}

const backslash = 0x5c
const letterU = 0x75

/** The bytes of a character as an escape, such as `\u006d`. */
const escapeBytes = 6

/**
 * Whether a key is `key`, a name of ASCII letters as JSON. It decodes and copies none: a text can be little else than
 * keys.
 */
export function isKey(bytes: Buffer, { start, end }: ByteRange, key: Buffer): boolean {
  if (end - start < key.length) return false
  let at = start
  for (const expected of key) {
    const isEscaped = bytes[at] === backslash
    if ((isEscaped ? escapedAt(bytes, at) : bytes[at]) !== expected) return false
    at += isEscaped ? escapeBytes : 1
  }
  return at === end
}

/** The character of an escape; `undefined` for a short one, which stands for no letter. */
function escapedAt(bytes: Buffer, at: number): number | undefined {
  if (bytes[at + 1] !== letterU) return undefined
  return Number.parseInt(bytes.toString('latin1', at + 2, at + escapeBytes), 16)
}
