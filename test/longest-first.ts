import { globSync } from 'node:fs'
import { join } from 'node:path'

import { BaseSequencer, type TestSpecification } from 'vitest/node'

const root = join(import.meta.dirname, '..')

/** The files that take longest: they build the package, start processes or wait for other processes. */
const longest = [
  'test/admin/client/*.test.ts',
  'test/admin/{live-topics,live,process-acts,live-limits,accounts-everywhere,killed}*.test.ts',
  'test/connections/early-answers.test.ts',
  'test/secrets/own-key.test.ts',
  'test/console/**/*.test.ts',
  'test/cli/*workers*.test.ts',
  'test/stores/redis-{topologies,faults}*.test.ts',
  'test/model/chaining*.test.ts',
  'test/matrix/*.test.ts',
  'test/cli/{doctor/doctor,remote/tail}.test.ts',
  'test/admin/http/streams.test.ts',
  'test/capture/processes*.test.ts',
  'test/admin/{kept-out,stored-accounts,recent,many-questions}*.test.ts',
  'test/contract/media/*-replies.test.ts',
  'test/examples/*.test.ts',
  'test/docs/*.test.ts',
  'test/cli/*.test.ts',
]

/**
 * Starts the longest files first, so that no worker is left with one of them at the end. Vitest begins with the
 * largest files where it knows no earlier run, and some of the longest are small.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const paths = longest.flatMap((pattern) => globSync(pattern, { cwd: root }).toSorted())
    const places = new Map([...new Set(paths)].map((path, place) => [join(root, path), place]))
    const placeOf = ({ moduleId }: TestSpecification) => places.get(moduleId) ?? places.size
    return (await super.sort(files)).toSorted((a, b) => placeOf(a) - placeOf(b))
  }
}
