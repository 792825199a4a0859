import type { JsonObject } from '../../src/lib/json/object.ts'
import { decode, type Name } from './samples/index.ts'

/** What the client is told of, in its own words. */
export function toldTo(client: Name, body: JsonObject): string[] {
  return decode(client, body)
    .extras.filter(({ treatment }) => treatment === 'warn')
    .map(({ field }) => field)
}
