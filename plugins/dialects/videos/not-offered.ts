import { notOffered } from '../../../src/kit/not-offered.ts'

/** What newer SDKs of OpenAI can ask for, at places that look like those of videos. */
export const videosNotOffered = [
  notOffered('videos.edits', 'POST', '/v1/videos/edits'),
  notOffered('videos.extensions', 'POST', '/v1/videos/extensions'),
  notOffered('videos.characters.create', 'POST', '/v1/videos/characters'),
  notOffered('videos.characters.get', 'GET', '/v1/videos/characters/{id}'),
]
