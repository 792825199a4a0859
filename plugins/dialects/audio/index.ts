import { defineDialect } from '../../../src/contract/dialect.ts'
import { type GatewayPlugin, definePlugin } from '../../../src/contract/plugin.ts'
import { openAiEndpoint } from '../shared/openai-endpoint.ts'
import { createSpeech } from './speech.ts'
import { createTranscription, createTranslation } from './transcriptions.ts'

/** Returns the plugin that serves `/v1/audio`: speech, transcriptions and translations. */
export function audio(): GatewayPlugin {
  const dialect = defineDialect({
    id: 'audio',
    title: 'Audio API',
    ...openAiEndpoint,
    operations: [createSpeech, createTranscription, createTranslation],
  })
  return definePlugin({ name: 'audio', dialects: [dialect] })
}
