import type { Turns } from '../turns.ts'
import { JsonMeasure } from './measure.ts'
import { mostJson } from './object.ts'

/** The same as `isWhole` for a long text, in turns of the event loop. */
export async function isWholeInTurns(bytes: Buffer, turns: Turns): Promise<boolean> {
  const measure = new JsonMeasure(bytes, mostJson)
  return (await measure.measureInTurns(turns)) !== undefined || measure.isClosed
}
