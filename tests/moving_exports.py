"""A small valid export of each format of trackers."""

from __future__ import annotations

import json

STRAVA = (
    "Activity ID,Activity Date,Activity Name,Activity Type,Elapsed Time,Distance,Filename,Moving Time,Distance,Commute"
    '\n7,"Jul 5, 2024, 6:30:00\u202fAM",Wéir,Ride,3700,20.10,activities/7.fit.gz,3600,20100.0,true\n'
    '8,"Jul 6, 2024, 6:30:00 PM","Pool, again",Swim,1800,750,#error#,,,\n'
)
GARMIN = (
    "Activity Type,Date,Favorite,Title,Distance,Calories,Time,Avg HR,Max HR,Avg Run Cadence,Avg Stride Length\n"
    'Running,2024-10-12 07:01:22,false,"Down, é",5.02,"1,412",00:31:40,148,163,164,1.02\n'
    "Strength Training,2024-10-13 18:00:00,false,Gym,0.00,250,00:55:00.5,110,140,--,--\n"
)
GPX = (
    '<?xml version="1.0"?><gpx version="1.1"><wpt lat="1" lon="1"/><trk><name>é</name><type>running</type><trkseg>'
    '<trkpt lat="1" lon="1"><ele>3</ele><time>2024-07-05T06:00:00Z</time></trkpt><trkpt lat="1" lon="1.01"><ele>9</ele>'
    "<time>2024-07-05T06:06:00+01:00</time><extensions><hr>120</hr></extensions></trkpt></trkseg></trk></gpx>"
)
TCX = (
    '<?xml version="1.0"?><TrainingCenterDatabase><Activities><Activity Sport="Biking"><Id>2024-07-05T06:00:00Z</Id>'
    '<Lap StartTime="2024-07-05T06:00:00Z"><TotalTimeSeconds>60</TotalTimeSeconds><DistanceMeters>400</DistanceMeters>'
    "<AverageHeartRateBpm><Value>120</Value></AverageHeartRateBpm><Track><Trackpoint><Time>2024-07-05T06:00:30Z</Time>"
    "<AltitudeMeters>5</AltitudeMeters></Trackpoint></Track></Lap><Creator><Name>é</Name></Creator></Activity>"
    "</Activities></TrainingCenterDatabase>"
)
MOVING = {"strava": STRAVA, "garmin-activities": GARMIN, "gpx": GPX, "tcx": TCX}
EXERCISE = json.dumps(
    [
        {"logId": 1, "activityName": "Bike", "duration": 60_000, "startTime": "07/05/24 17:23:11", "distance": 1.5}
        | {"distanceUnit": "Mile", "source": {"name": "é"}, "calories": 5}
    ]
    * 2
)
MOVING["fitbit"] = EXERCISE
MOVING["google-fit"] = (
    "Date,Move Minutes count,Calories (kcal),Distance (m),Step count,Average weight (kg)\n"
    "2024-07-05,40,2000.5,5000.2,10468,79.64\n2024-07-06,,,,0,\n"
)
