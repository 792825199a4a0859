import { TooMuchJson } from '../lib/json/object.ts'

/** Names in one text that are replaced. No provider repeats one as often, and each takes memory and time. */
const mostPlaces = 10_000

/** Adds the place of a name that is replaced. Throws `TooMuchJson` where there are too many. */
export function addPlace<Place>(places: Place[], place: Place): void {
  if (places.length === mostPlaces) throw new TooMuchJson()
  places.push(place)
}
