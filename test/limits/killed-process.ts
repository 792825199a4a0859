/** A replica that a test kills. Arguments: the URL of its store, its quotas as JSON. */
import { limitStage } from './stage.ts'

const [store = '', quotas = '[]'] = process.argv.slice(2)
const stage = await limitStage({ store, key: JSON.parse(quotas) as readonly object[] })
process.stdout.write(`${stage.gateway.url}\n`)
