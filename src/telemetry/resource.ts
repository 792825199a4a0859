import { hostname } from 'node:os'

import { diag } from '@opentelemetry/api'
import { getStringFromEnv, getStringListFromEnv } from '@opentelemetry/core'
import {
  type Resource,
  type ResourceDetector,
  defaultResource,
  detectResources,
  hostDetector,
  osDetector,
  processDetector,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from '@opentelemetry/resources'

/** The name of the service unless the environment has another. */
const product = 'dragoman'

/** The process detector without the command line, which may have secrets. `OTEL_RESOURCE_ATTRIBUTES` can add it. */
const quietProcessDetector: ResourceDetector = {
  detect(config) {
    const { attributes = {} } = processDetector.detect(config)
    const shown = Object.entries(attributes).filter(([name]) => !name.startsWith('process.command'))
    return { attributes: Object.fromEntries(shown) }
  },
}

const detectors: Readonly<Record<string, readonly ResourceDetector[]>> = {
  service: [serviceNameEnvDetector],
  host: [hostDetector, osDetector],
  process: [quietProcessDetector],
}

/**
 * Creates the resource: it names this process in all that it exports, so that a trace leads to the metrics and the
 * logs of its gateway. `OTEL_NODE_RESOURCE_DETECTORS`, `OTEL_RESOURCE_ATTRIBUTES` and `OTEL_SERVICE_NAME` prevail,
 * each over those before it. Absent version: none.
 */
export function createResource(version: string | undefined): Resource {
  const own = {
    'service.name': product,
    ...(version !== undefined && { 'service.version': version }),
    'service.instance.id': `${hostname()}-${process.pid}`,
  }
  const names = detectorNames()
  const found = names.flatMap((name) => {
    if (!detectors[name]) diag.warn(`unknown resource detector "${name}"`)
    return detectors[name] ?? []
  })
  const service = names.includes('service') ? getStringFromEnv('OTEL_SERVICE_NAME') : undefined
  return defaultResource()
    .merge(resourceFromAttributes(own))
    .merge(detectResources({ detectors: found }))
    .merge(detectResources({ detectors: [resourceAttributesEnvDetector] }))
    .merge(resourceFromAttributes(service === undefined ? {} : { 'service.name': service }))
}

function detectorNames(): readonly string[] {
  const wanted = getStringListFromEnv('OTEL_NODE_RESOURCE_DETECTORS') ?? []
  if (wanted.includes('none')) return []
  return wanted.length === 0 || wanted.includes('all') ? Object.keys(detectors) : wanted
}
