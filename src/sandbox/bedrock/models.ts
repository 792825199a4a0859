import { listedModels } from '../models.ts'
import type { Endpoint } from '../provider.ts'
import { bedrock } from './provider.ts'

/** `GET /foundation-models` of the control plane, whose host is another one. */
export const foundationModels: Endpoint = {
  provider: bedrock,
  method: 'GET',
  path: /^\/foundation-models$/,
  hasBody: false,
  answer: () => ({
    json: {
      modelSummaries: listedModels.map((modelId) => ({
        modelArn: `arn:aws:bedrock:eu-central-1::foundation-model/${modelId}`,
        modelId,
        modelName: modelId,
        providerName: 'Sandbox',
      })),
    },
  }),
}
