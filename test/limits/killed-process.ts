/** A replica that a test kills. Arguments: the URL of its store, its quotas and further options as JSON. */
import { type StageOptions, limitStage } from './stage.ts'

const [store = '', quotas = '[]', more = '{}'] = process.argv.slice(2)
const stage = await limitStage({
  store,
  key: JSON.parse(quotas) as readonly object[],
  ...(JSON.parse(more) as StageOptions),
})
process.stdout.write(`${stage.gateway.url}\n`)
