import { type JsonObject, numberOf, objectOf, objectsOf, textOf } from '../../json.ts'
import type { Call, Endpoint, Reply } from '../../provider.ts'
import type { Scene } from '../../media/mp4.ts'
import { gemini } from '../provider.ts'
import { checkPredictRequest } from './check-request.ts'
import { createOperation } from './store.ts'
import { type OperationPlace, longName, shortName } from './names.ts'

const developerPath =
  /^\/v1(?:beta|alpha)?\/models\/(?<model>[^/]+(?:\/[^/]+)?):predictLongRunning$/
const cloudPath =
  /^\/v1(?:beta1)?\/(?:projects\/(?<project>[^/]+)\/locations\/(?<location>[^/]+)\/)?publishers\/(?<publisher>[^/]+)\/models\/(?<model>[^/]+(?:\/[^/]+)?):predictLongRunning$/

/** `POST …/models/{model}:predictLongRunning`, of the developer API and of Google Cloud. */
export const predictLongRunning: Endpoint[] = [developerPath, cloudPath].map((path) => ({
  provider: gemini,
  method: 'POST',
  path,
  hasBody: true,
  modelOf: ({ model }) => textOf(model),
  answer,
}))

function answer({ account, body, params, directives }: Call): Reply {
  const [instance = {}] = objectsOf(body['instances'])
  checkPredictRequest(body, params['publisher'] !== undefined, instance)
  const settings = objectOf(body['parameters'])
  const storageUri = settings['storageUri']
  const order = {
    place: placeOf(params, directives.shortname === true),
    scene: sceneOf(instance, settings),
    count: numberOf(settings['sampleCount']) ?? 1,
    storageUri: storageUri === undefined ? undefined : textOf(storageUri),
  }
  const { id, place } = createOperation(account, order, directives)
  return { json: { name: directives.shortname ? shortName(place, id) : longName(place, id) } }
}

// Google Cloud's project for a client that has a key and names no project.
const defaultProject = { project: 'sandbox', location: 'global' }

function placeOf(params: Record<string, string>, needsProject: boolean): OperationPlace {
  const { project, location, publisher, model = '' } = params
  if (project !== undefined) return { project, location, publisher, model }
  if (publisher !== undefined) return { ...defaultProject, publisher, model }
  return needsProject
    ? { ...defaultProject, publisher: 'google', model }
    : { project, location, publisher, model }
}

const heights: Record<string, number> = { '720p': 720, '1080p': 1080, '4k': 2160 }

function sceneOf(instance: JsonObject, settings: JsonObject): Scene {
  const short = heights[textOf(settings['resolution'])] ?? 720
  const long = (short * 16) / 9
  const [width, height] = settings['aspectRatio'] === '9:16' ? [short, long] : [long, short]
  const seconds = numberOf(settings['durationSeconds']) ?? 8
  return { prompt: textOf(instance['prompt']), width, height, seconds }
}
