import { dailyRows } from '../../daily-rows.ts'
import { describeImageReplies } from './image-replies.ts'

describeImageReplies(dailyRows)
