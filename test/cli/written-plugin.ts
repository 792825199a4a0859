import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { type Place } from './dragoman.ts'

export const name = '@acme/dragoman-limits'

export const folder = 'dragoman-limits'

export function read(place: Place, file: string): Promise<string> {
  return readFile(join(place.path, folder, file), 'utf8')
}
