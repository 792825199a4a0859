import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import type { Invocation } from '../command.ts'
import { packageDirectory, schemaPath } from '../versions.ts'

/** `dragoman config schema`: the JSON Schema of the configuration. */
export async function run({ terminal }: Invocation): Promise<number> {
  terminal.out(readFileSync(join(packageDirectory(), schemaPath), 'utf8').trimEnd())
  return 0
}
