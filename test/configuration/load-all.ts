/**
 * Loads each configuration that is named on the command line with Node's own loader, which a test
 * runner would replace, and prints what came of it as JSON, in the order of the names. `WAIT_MS`: how long each may
 * take.
 */
import { loadConfiguration } from '../../src/configuration/load.ts'
import { ConfigurationError } from '../../src/contract/problems.ts'

const outcomes: unknown[] = []
for (const path of process.argv.slice(2)) {
  const place = path.endsWith('/') ? { directory: path } : { directory: process.cwd(), path }
  const wait = process.env['WAIT_MS']
  const options = { ...place, ...(wait !== undefined && { waitMs: Number(wait) }) }
  try {
    const loaded = await loadConfiguration(options)
    outcomes.push({ loaded: loaded ?? null })
  } catch (error) {
    const known = error instanceof ConfigurationError
    outcomes.push(known ? { problems: error.problems } : { unexpected: String(error) })
  }
}
process.stdout.write(JSON.stringify(outcomes))
