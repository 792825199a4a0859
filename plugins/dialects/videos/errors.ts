import { GatewayError } from '../../../src/errors.ts'

/** Longer ids are nobody's, and would only fill answers. Characters. */
const longestShown = 200

/** Never made, another key's, or too old: all look the same. */
export function noVideo(shown: string): GatewayError {
  const id = shown.length > longestShown ? `${shown.slice(0, longestShown)}...` : shown
  return new GatewayError('not_found', `Video with id '${id}' not found.`, { param: 'video_id' })
}
