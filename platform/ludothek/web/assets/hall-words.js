/** What the view for the lecture hall says. */

export default {
  en: {
    "hall.title": "Lecture hall",
    "hall.waiting": "Nobody is playing at the moment",
    "hall.waiting.connect": "Connect your client:",
    "hall.waiting.open": "Watch and play in the browser:",
    "hall.pause": "Stay at this match (space)",
    "hall.go": "Go from match to match (space)",
    "hall.previous": "Previous match (←)",
    "hall.next": "Next match (→)",
    "hall.screen": "Full screen (F)",
    "hall.leave": "Leave",
    "hall.controls": "Lecture hall",
    "hall.paused": "stays",
  },
  de: {
    "hall.title": "Hörsaal",
    "hall.waiting": "Gerade spielt niemand",
    "hall.waiting.connect": "Verbinde deinen Client:",
    "hall.waiting.open": "Zusehen und spielen im Browser:",
    "hall.pause": "Bei dieser Partie bleiben (Leertaste)",
    "hall.go": "Von Partie zu Partie gehen (Leertaste)",
    "hall.previous": "Vorige Partie (←)",
    "hall.next": "Nächste Partie (→)",
    "hall.screen": "Ganzer Bildschirm (F)",
    "hall.leave": "Verlassen",
    "hall.controls": "Hörsaal",
    "hall.paused": "bleibt",
  },
};
