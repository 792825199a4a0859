import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { replaceGenerated } from '../generated.ts'
import { openPage, repository } from '../pages.ts'
import { errorTypesRegion, metricsRegion, renderErrorTypes, renderMetrics } from './table.ts'

// `node test/docs/metrics/write.ts`: writes the tables of the page about metrics.
const { path, text } = openPage('docs/metrics.md')
const withMetrics = replaceGenerated(text, metricsRegion, renderMetrics())
const page = replaceGenerated(withMetrics, errorTypesRegion, renderErrorTypes())
writeFileSync(join(repository, path), page)
