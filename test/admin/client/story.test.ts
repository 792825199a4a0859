import { dailyRows } from '../../daily-rows.ts'
import { deployments } from './places.ts'
import { operatorStories } from './story.ts'

operatorStories(dailyRows([deployments.replicas, deployments.file]))
