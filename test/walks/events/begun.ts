import type { GatewayPlugin } from '../../../src/contract/plugin.ts'
import { startMixed } from '../losses/mixed.ts'
import { ask, receive } from '../streams/asking.ts'
import { form } from '../streams/forms.ts'
import { pausing } from './pausing.ts'

/** All that a client reads of a stream that goes on after it has begun, behind a plugin. */
export async function textOfBegun(plugin: GatewayPlugin): Promise<string> {
  const { script, goOn } = pausing(form.messages)
  await using mixed = await startMixed(
    { only: { form: form.messages, script } },
    { plugins: [plugin] },
  )
  const response = await ask(mixed.gateway, form.chat)
  goOn()
  const { text } = await receive(response)
  return text
}
