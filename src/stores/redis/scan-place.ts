import { hash } from 'node:crypto'

import { openCursor, sealCursor } from '../cursor.ts'
import { InvalidCursor } from '../store.ts'

/** Where a scan continues: behind some records of a SCAN's reply. */
export interface ScanPlace {
  /** The first slot of the server. */
  readonly slot: number
  /** The server's process: another one has another order of keys. */
  readonly run: string
  /** The cursor of the SCAN. */
  readonly at: string
  /** The marks of records that the walk has found and that this SCAN, or a later one, may return again. */
  readonly seen: readonly string[]
}

/** In characters of base64url: 66 bits. */
const markLength = 11

/** A cursor with as many stays within the limit of `openCursor`. More than one reply has. */
const mostSeen = 450

/** Stands for a record in a cursor, which a list of ids would make long. */
export function markOf(id: string): string {
  return hash('sha256', id, 'base64url').slice(0, markLength)
}

/** The cursor of a place. Without the oldest marks, if there are too many. */
export function sealPlace({ slot, run, at, seen }: ScanPlace): string {
  return sealCursor([String(slot), run, at, seen.slice(-mostSeen).join('')])
}

const lastSlot = 16_383
/** The greatest cursor that Redis reads. */
const greatest = 2n ** 64n - 1n

/** The place of a cursor. Throws `InvalidCursor`. */
export function openPlace(cursor: string): ScanPlace {
  const [slot = '', run = '', at = '', marks = ''] = openCursor(cursor, 4)
  const isSound =
    /^\d{1,5}$/.test(slot) &&
    Number(slot) <= lastSlot &&
    /^\w{0,64}$/.test(run) &&
    /^\d{1,20}$/.test(at) &&
    BigInt(at) <= greatest &&
    /^[\w-]*$/.test(marks) &&
    marks.length % markLength === 0
  if (!isSound) throw new InvalidCursor()
  const seen = Array.from({ length: marks.length / markLength }, (_, index) =>
    marks.slice(index * markLength, (index + 1) * markLength),
  )
  return { slot: Number(slot), run, at, seen }
}
