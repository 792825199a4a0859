import type { GenerateRequest } from '../generate/request.ts'
import { type Feature, type FeatureSupport, lackOf } from '../generate/unsupported.ts'

/** The features that the gateway emulates by fetching a file for the account. */
export const remoteFeatures: ReadonlySet<Feature> = new Set(['audio_url', 'file_url', 'image_url'])

/** Whether the request has URLs that an account with these gaps does not fetch itself. */
export function needsRemoteFiles(request: GenerateRequest, support: FeatureSupport): boolean {
  return [...remoteFeatures].some((feature) => request.fields[feature] && lackOf(support, feature))
}
